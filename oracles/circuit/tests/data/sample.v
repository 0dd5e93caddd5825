// A unit with registers, a memory and most operators. tests/it/btor2.rs has the same in Rust.
module sample(
    input clk, input rst, input [7:0] a, input [7:0] b, input [2:0] s,
    output [7:0] count, output [7:0] stored, output [15:0] product, output [7:0] shifted,
    output [7:0] quotient, output [7:0] rest, output [5:0] flags, output [7:0] mixed
);
    reg [7:0] counter = 8'd5;
    reg [7:0] memory [0:3];
    wire signed [7:0] sa = a;
    wire signed [7:0] sb = b;
    always @(posedge clk) begin
        if (rst) counter <= 8'd0;
        else counter <= counter + a;
        memory[s[1:0]] <= b;
    end
    assign count = counter;
    assign stored = memory[a[1:0]];
    assign product = sa * sb;
    assign shifted = s[0] ? a << s : s[1] ? a >> s : sa >>> s;
    assign quotient = a / (b | 8'd1);
    assign rest = sa % $signed(b | 8'd1);
    assign flags = {^a, &a, |a, sa < sb, a <= b, a == b};
    assign mixed = {a[3:0], b[7:4]} - (a[s +: 2] ^ (rst ? a & ~b : a | b));
endmodule
