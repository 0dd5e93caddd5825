// The multiply-add and the comparison units of CVFPU in binary32, without pipeline registers: one combinational block.
module cvfpu (
  input  logic [31:0] a, b, c,
  input  logic [2:0]  rounding,   // as in RISC-V's frm
  input  logic [3:0]  operation,  // fpnew_pkg::operation_e
  output logic [31:0] arithmetic, comparison
);
  fpnew_fma #(.FpFormat(fpnew_pkg::FP32), .NumPipeRegs(0)) multiply_add (
    .clk_i(1'b0), .rst_ni(1'b1), .operands_i({c, b, a}), .is_boxed_i(3'b111),
    .rnd_mode_i(fpnew_pkg::roundmode_e'(rounding)), .op_i(fpnew_pkg::operation_e'(operation)), .op_mod_i(1'b0),
    .tag_i(1'b0), .mask_i(1'b1), .aux_i(1'b0), .in_valid_i(1'b1), .in_ready_o(), .flush_i(1'b0),
    .result_o(arithmetic), .status_o(), .extension_bit_o(), .tag_o(), .mask_o(), .aux_o(), .out_valid_o(),
    .out_ready_i(1'b1), .busy_o(), .reg_ena_i(1'b0)
  );
  fpnew_noncomp #(.FpFormat(fpnew_pkg::FP32), .NumPipeRegs(0)) compare (
    .clk_i(1'b0), .rst_ni(1'b1), .operands_i({b, a}), .is_boxed_i(2'b11),
    .rnd_mode_i(fpnew_pkg::roundmode_e'(rounding)), .op_i(fpnew_pkg::operation_e'(operation)), .op_mod_i(1'b0),
    .tag_i(1'b0), .mask_i(1'b1), .aux_i(1'b0), .in_valid_i(1'b1), .in_ready_o(), .flush_i(1'b0),
    .result_o(comparison), .status_o(), .extension_bit_o(), .class_mask_o(), .is_class_o(), .tag_o(), .mask_o(),
    .aux_o(), .out_valid_o(), .out_ready_i(1'b1), .busy_o(), .reg_ena_i(1'b0)
  );
endmodule
