// POPC and FSEL behind one handshake: two stages, each of which waits while the next one is full.
//
// FAULT plants a mistake: 1 a count that is wrong behind a selection, 2 a result that is withdrawn while it waits, 3 an
// operand after which no result comes.
module elastic #(parameter int FAULT = 0) (
  input  logic        clk, rst_n,
  input  logic        in_valid,
  output logic        in_ready,
  input  logic        counts,
  input  logic        choose,
  input  logic [63:0] operands,
  output logic        out_valid,
  input  logic        out_ready,
  output logic [31:0] y
);
  logic valid1, valid2, ready1, ready2, counts1, counts2, choose1, was_held, is_stuck;
  logic [63:0] operands1;
  logic [5:0] count;

  assign ready2 = !valid2 || out_ready && out_valid;
  assign ready1 = !valid1 || ready2;
  assign in_ready = ready1;
  assign out_valid = valid2 && !(FAULT == 2 && was_held) && !(FAULT == 3 && is_stuck);
  assign count = 6'($countones(operands1[31:0]));

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      valid1 <= 0;
      valid2 <= 0;
      was_held <= 0;
      is_stuck <= 0;
    end else begin
      was_held <= out_valid && !out_ready;
      if (ready1) begin
        valid1 <= in_valid;
        {counts1, choose1, operands1} <= {counts, choose, operands};
      end
      if (ready2) begin
        valid2 <= valid1;
        counts2 <= counts1;
        if (valid1 && counts1 && operands1[31:0] == 32'h80000000) is_stuck <= 1;
        if (counts1) y <= 32'(count) ^ 32'(FAULT == 1 && !counts2 && count == 5);
        else y <= choose1 ? operands1[31:0] : operands1[63:32];
      end
    end
  end
endmodule
