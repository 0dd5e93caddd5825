// Compares mufu_h200.sv with digests of the measured results.
//
// `verilator --binary -O3 --top-module check mufu_h200.sv check.sv` makes obj_dir/Vcheck.
// `obj_dir/Vcheck +digests=digests.txt +function=RCP.F32` compares all inputs of a function, and with
// `+block=127` one block: 2^23 inputs, or all 65,536 of a type of 16 bits.
module check;
  import mufu_h200_pkg::*;

  typedef logic [63:0] digest_t;

  string path, selected, word;
  int file, block, nth, compared, wrong;
  digest_t expected;
  mufu_e op;

  // The names of the functions in the file of digests.
  function automatic string name_of(input mufu_e which);
    case (which)
      RCP: return "RCP.F32";
      RSQ: return "RSQ.F32";
      SQRT: return "SQRT.F32";
      EX2: return "EX2.F32";
      LG2: return "LG2.F32";
      SIN: return "SIN.F32";
      COS: return "COS.F32";
      TANH: return "TANH.F32";
      RCP64H: return "RCP.F64";
      RSQ64H: return "RSQ.F64";
      EX2_F16: return "EX2.F16";
      TANH_F16: return "TANH.F16";
      EX2_BF16: return "EX2.BF16";
      default: return "TANH.BF16";
    endcase
  endfunction

  function automatic digest_t mix(input digest_t of);
    digest_t z = of + 64'h9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 64'hbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 64'h94d049bb133111eb;
    return z ^ z >> 31;
  endfunction

  // Compares the results of a block with its digest.
  function automatic void compare(input int chosen, input digest_t measured);
    int count = op >= EX2_F16 ? 1 << 16 : 1 << 23;
    digest_t sum = 0;
    for (int lane = 0; lane < count; lane++) begin
      logic [31:0] x = 32'(chosen * count + lane);
      sum += mix({x, mufu(op, x)});
    end
    compared++;
    if (sum != measured) begin
      wrong++;
      $display("%s: a result for the inputs from %08x on is not the measured one", selected, chosen * count);
    end
  endfunction

  initial begin
    if (!$value$plusargs("digests=%s", path) || !$value$plusargs("function=%s", selected))
      $fatal(1, "give +digests=FILE and +function=NAME");
    if (!$value$plusargs("block=%d", block)) block = -1;
    op = op.first();
    while (name_of(op) != selected) begin
      if (op == op.last()) $fatal(1, "no function %s", selected);
      op = op.next();
    end
    file = $fopen(path, "r");
    if (file == 0) $fatal(1, "%s cannot be read", path);
    // The digests of a function follow its name.
    nth = -1;
    while ($fscanf(file, "%s", word) == 1) begin
      if (word == selected) nth = 0;
      else if (nth >= 0) begin
        // The name of the next function is no number.
        if ($sscanf(word, "%h", expected) != 1 || word.len() != 16) break;
        if (block < 0 || nth == block) compare(nth, expected);
        nth++;
      end
    end
    if (compared == 0) $fatal(1, "no such block of %s in %s", selected, path);
    $display("%s: %0d blocks compared, %0d wrong", selected, compared, wrong);
    if (wrong > 0) $fatal(1, "mufu_h200.sv is not the measured unit");
    $finish;
  end
endmodule
