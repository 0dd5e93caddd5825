// Counts the ones of a word in two cycles: of each byte in the first, of the word in the second.
module popcount (
  input  logic        clk,
  input  logic        invert,
  input  logic [31:0] a,
  output logic [5:0]  y
);
  logic [3:0] bytes [4];
  logic [31:0] word;
  assign word = invert ? ~a : a;
  always_ff @(posedge clk) begin
    for (int i = 0; i < 4; i++) bytes[i] <= 4'($countones(word[8*i +: 8]));
    y <= 6'(bytes[0]) + 6'(bytes[1]) + 6'(bytes[2]) + 6'(bytes[3]);
  end
endmodule
