// zkf_cordic (PyPI zkf) as MUFU.SIN and MUFU.COS in turns: one operation at a time, a handshake at both ends.
//
// As in zkf.sv, this module translates zkf's documented conventions: no NaN, and no -0.
module zkf_sincos (
  input  logic        clk, rst,
  input  logic        in_valid,
  output logic        in_ready,
  input  logic        cosine,
  input  logic [31:0] x,
  output logic        out_valid,
  input  logic        out_ready,
  output logic [31:0] y
);
  logic is_cosine;
  logic [31:0] operand, sin, cos, result;
  zkf_cordic #(.WEXP(8), .WMAN(24), .MODE(0)) u_cordic (
    .clk, .rst, .in_valid, .in_ready, .vectoring(1'b0), .a(x), .b('0),
    .out_valid, .out_ready, .r0(sin), .r1(cos), .quadrant()
  );
  always_ff @(posedge clk) if (in_valid && in_ready) {is_cosine, operand} <= {cosine, x};

  assign result = is_cosine ? cos : sin;
  always_comb begin
    y = result;
    if (&operand[30:23]) y = 32'h7fffffff;
    else if (result == 0 && !is_cosine) y = {operand[31], 31'b0};
  end
endmodule
