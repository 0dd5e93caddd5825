// The multiply-add and the comparison units of CVFPU in binary32, with three pipeline registers each.
//
// A comparison of this instruction set is a choice among less, equal, greater and unordered. CVFPU computes the first three.
module cvfpu (
  input  logic        clk, rst_n,
  input  logic        in_valid,
  input  logic [2:0]  unit,        // as in unit_e
  input  logic [2:0]  rounding,    // as in RISC-V's frm
  input  logic [3:0]  operation,   // fpnew_pkg::operation_e
  input  logic [95:0] operands,
  input  logic        choice,      // the minimum and not the maximum; the predicate of a comparison
  input  logic [3:0]  relation,    // less, equal, greater, unordered, from the lowest bit on
  input  logic [1:0]  combination, // AND, OR, XOR
  output logic        out_valid,
  output logic [31:0] y,
  output logic [1:0]  predicates
);
  import fpnew_pkg::*;
  localparam int REGISTERS = 3;
  typedef enum logic [2:0] {ARITHMETIC, EXTREME, COMPARISON} unit_e;

  logic [31:0] arithmetic, noncomp [3];
  logic arithmetic_valid;
  logic [2:0] noncomp_valid;

  fpnew_fma #(.FpFormat(FP32), .NumPipeRegs(REGISTERS), .PipeConfig(DISTRIBUTED)) multiply_add (
    .clk_i(clk), .rst_ni(rst_n), .operands_i(operands), .is_boxed_i('1),
    .rnd_mode_i(roundmode_e'(rounding)), .op_i(operation_e'(operation)), .op_mod_i(1'b0),
    .tag_i(1'b0), .mask_i(1'b1), .aux_i(1'b0), .in_valid_i(in_valid && unit == ARITHMETIC), .in_ready_o(), .flush_i(1'b0),
    .result_o(arithmetic), .status_o(), .extension_bit_o(), .tag_o(), .mask_o(), .aux_o(), .out_valid_o(arithmetic_valid),
    .out_ready_i(1'b1), .busy_o(), .reg_ena_i('0)
  );
  // Minimum or less, equal, greater.
  for (genvar i = 0; i < 3; i++) begin : g_noncomp
    logic [63:0] pair;
    logic [2:0] mode;
    assign pair = i == 2 ? {operands[31:0], operands[63:32]} : operands[63:0];
    assign mode = unit == EXTREME ? (choice ? RNE : RTZ) : i == 1 ? RDN : RTZ;
    fpnew_noncomp #(.FpFormat(FP32), .NumPipeRegs(REGISTERS), .PipeConfig(DISTRIBUTED)) compare (
      .clk_i(clk), .rst_ni(rst_n), .operands_i(pair), .is_boxed_i('1),
      .rnd_mode_i(roundmode_e'(mode)), .op_i(unit == EXTREME ? MINMAX : CMP), .op_mod_i(1'b0),
      .tag_i(1'b0), .mask_i(1'b1), .aux_i(1'b0), .in_valid_i(in_valid && unit != ARITHMETIC), .in_ready_o(), .flush_i(1'b0),
      .result_o(noncomp[i]), .status_o(), .extension_bit_o(), .class_mask_o(), .is_class_o(), .tag_o(), .mask_o(),
      .aux_o(), .out_valid_o(noncomp_valid[i]), .out_ready_i(1'b1), .busy_o(), .reg_ena_i('0)
    );
  end

  // What the combination needs, as old as the result.
  logic [9:0] delayed [REGISTERS];
  always_ff @(posedge clk) begin
    delayed[0] <= {unit, choice, relation, combination};
    for (int i = 1; i < REGISTERS; i++) delayed[i] <= delayed[i-1];
  end
  unit_e late_unit;
  logic late_choice, holds;
  logic [3:0] late_relation;
  logic [1:0] late_combination;
  logic [2:0] is;
  assign late_unit = unit_e'(delayed[REGISTERS-1][9:7]);
  assign {late_choice, late_relation, late_combination} = delayed[REGISTERS-1][6:0];
  assign is = {noncomp[2][0], noncomp[1][0], noncomp[0][0]};
  assign holds = |(late_relation & {is == 0, is});

  assign out_valid = late_unit == ARITHMETIC ? arithmetic_valid : noncomp_valid[0];
  assign y = late_unit == ARITHMETIC ? arithmetic : noncomp[0];
  always_comb
    case (late_combination)
      0: predicates = {!holds && late_choice, holds && late_choice};
      1: predicates = {!holds || late_choice, holds || late_choice};
      default: predicates = {!holds ^ late_choice, holds ^ late_choice};
    endcase
endmodule
