// Devices under test: a population count, an adder, and an adder that drops a carry.

module popcount (
    input  logic [31:0] value,
    output logic [31:0] count
);
  always_comb begin
    count = 0;
    for (int i = 0; i < 32; i++) count += 32'(value[i]);
  end
endmodule

module adder #(
    parameter bit DROPS_CARRY = 0
) (
    input  logic [31:0] a,
    input  logic [31:0] b,
    output logic [31:0] sum
);
  logic [15:0] low;
  logic carry;
  assign {carry, low} = {1'b0, a[15:0]} + {1'b0, b[15:0]};
  assign sum = {a[31:16] + b[31:16] + (DROPS_CARRY ? 16'd0 : 16'(carry)), low};
endmodule
