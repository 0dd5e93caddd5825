// zkf (PyPI) as the float unit of this instruction set: FADD, FMUL, FFMA, EX2 and LG2, one operation a cycle.
//
// zkf has no NaN, no -0 and no subnormals, and its documentation says what it gives in their place. This module
// translates that, and nothing else: a number that is not below the smallest normal one passes as zkf computes it.
// Below, it compares zkf's result with the documented rule, and gives 0xDEADBEEF where the two differ.
module zkf (
  input  logic        clk, rst,
  input  logic        in_valid,
  input  logic [2:0]  operation,
  input  logic [31:0] a, b, c,
  output logic        out_valid,
  output logic [31:0] y
);
  localparam int LATENCY = 5;
  typedef enum logic [2:0] {FADD, FMUL, FFMA, EX2, LG2} operation_e;

  // ---- The units, each padded to the longest latency ----
  logic [4:0] valid_in, valid_out;
  logic [31:0] raw [5], padded [5];
  logic [4:0] valid_raw;
  for (genvar i = 0; i < 5; i++) assign valid_in[i] = in_valid && operation == 3'(i);

  zkf_add #(.WEXP(8), .WMAN(24)) u_add (.clk, .rst, .in_valid(valid_in[FADD]), .a, .b, .out_valid(valid_raw[FADD]), .y(raw[FADD]));
  zkf_mul #(.WEXP(8), .WMAN(24)) u_mul (.clk, .rst, .in_valid(valid_in[FMUL]), .a, .b, .out_valid(valid_raw[FMUL]), .y(raw[FMUL]));
  zkf_fma #(.WEXP(8), .WMAN(24)) u_fma (.clk, .rst, .in_valid(valid_in[FFMA]), .a, .b, .c, .out_valid(valid_raw[FFMA]), .y(raw[FFMA]));
  zkf_exp2 #(.WEXP(8), .WMAN(24)) u_exp2 (.clk, .rst, .in_valid(valid_in[EX2]), .x(a), .out_valid(valid_raw[EX2]), .y(raw[EX2]));
  zkf_log2 #(.WEXP(8), .WMAN(24)) u_log2 (.clk, .rst, .in_valid(valid_in[LG2]), .x(a), .out_valid(valid_raw[LG2]), .y(raw[LG2]), .domain_error(), .pole());

  zkf_pipe #(.W(32), .N(LATENCY - 4)) p_add (.clk, .rst, .in_valid(valid_raw[FADD]), .in(raw[FADD]), .out_valid(valid_out[FADD]), .out(padded[FADD]));
  zkf_pipe #(.W(32), .N(LATENCY - 1)) p_mul (.clk, .rst, .in_valid(valid_raw[FMUL]), .in(raw[FMUL]), .out_valid(valid_out[FMUL]), .out(padded[FMUL]));
  zkf_pipe #(.W(32), .N(LATENCY - 5)) p_fma (.clk, .rst, .in_valid(valid_raw[FFMA]), .in(raw[FFMA]), .out_valid(valid_out[FFMA]), .out(padded[FFMA]));
  zkf_pipe #(.W(32), .N(LATENCY - 2)) p_exp2 (.clk, .rst, .in_valid(valid_raw[EX2]), .in(raw[EX2]), .out_valid(valid_out[EX2]), .out(padded[EX2]));
  zkf_pipe #(.W(32), .N(LATENCY - 3)) p_log2 (.clk, .rst, .in_valid(valid_raw[LG2]), .in(raw[LG2]), .out_valid(valid_out[LG2]), .out(padded[LG2]));

  // ---- The operands, as old as the result ----
  logic [98:0] delayed [LATENCY];
  always_ff @(posedge clk) begin
    delayed[0] <= {operation, a, b, c};
    for (int i = 1; i < LATENCY; i++) delayed[i] <= delayed[i-1];
  end
  operation_e op;
  logic [31:0] oa, ob, oc, result;
  assign op = operation_e'(delayed[LATENCY-1][98:96]);
  assign {oa, ob, oc} = delayed[LATENCY-1][95:0];
  assign result = padded[op];
  assign out_valid = valid_out[op];

  // ---- Translation ----
  localparam logic [31:0] NOT_A_NUMBER = 32'h7fffffff, WRONG = 32'hdeadbeef;
  localparam logic [30:0] SMALLEST = 31'h00800000;

  function automatic logic is_nan(logic [31:0] x); return &x[30:23] && |x[22:0]; endfunction
  function automatic logic is_inf(logic [31:0] x); return x[30:0] == 31'h7f800000; endfunction
  function automatic logic is_zero(logic [31:0] x); return x[30:23] == 0; endfunction
  function automatic logic [23:0] digits(logic [31:0] x); return is_zero(x) ? '0 : {1'b1, x[22:0]}; endfunction

  // f * g + h: a sum is a * 1 + b, and a product a * b plus the zero of its sign.
  logic [31:0] f, g, h;
  logic product_sign, is_invalid, is_near, is_tiny, is_half, sign;
  logic [8:0] product_exponent;
  // In units of 2^-300, where a sum can be below 2^-126: a sum of larger operands is not.
  logic [323:0] product, addend;
  logic signed [323:0] exact;
  logic [323:0] magnitude;
  always_comb begin
    f = oa;
    g = op == FADD ? 32'h3f800000 : ob;
    h = op == FADD ? ob : op == FMUL ? {oa[31] ^ ob[31], 31'b0} : oc;
    product_sign = f[31] ^ g[31];
    is_invalid = is_nan(f) || is_nan(g) || is_nan(h) || is_inf(f) && is_zero(g) || is_zero(f) && is_inf(g)
                 || (is_inf(f) || is_inf(g)) && is_inf(h) && product_sign != h[31];
    product_exponent = 9'(f[30:23]) + 9'(g[30:23]);
    is_near = (is_zero(f) || is_zero(g) || product_exponent < 256) && h[30:23] < 106;
    product = 324'(48'(digits(f)) * 48'(digits(g))) << (product_exponent & 9'h0ff);
    addend = 324'(digits(h)) << (9'(h[30:23]) + 9'd150);
    exact = (product_sign ? -product : product) + (h[31] ? -addend : addend);
    sign = exact == 0 ? product_sign && h[31] : exact[323];
    magnitude = exact[323] ? -exact : exact;
    is_tiny = is_near && magnitude < 324'b1 << 174;
    is_half = magnitude >= 324'b1 << 173;
  end

  always_comb begin
    y = result;
    case (op)
      EX2:
        if (is_nan(oa)) y = NOT_A_NUMBER;
        else if (oa[31] && oa[30:0] > 31'h42fc0000)  // below -126
          y = result == 0 && oa[30:0] >= 31'h42fe0000 || result == SMALLEST && oa[30:0] <= 31'h42fe0000 ? 0 : WRONG;
      LG2: if (is_nan(oa) || oa[31] && !is_zero(oa)) y = NOT_A_NUMBER;
      default:
        if (is_invalid) y = NOT_A_NUMBER;
        else if (is_tiny) y = result == (is_half ? {sign, SMALLEST} : 32'b0) ? {sign, 31'b0} : WRONG;
    endcase
  end
endmodule
