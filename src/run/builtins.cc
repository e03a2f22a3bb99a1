// SPDX-License-Identifier: Apache-2.0
// Built-in functions. What is everywhere in shaders is done here on all lanes; the rest goes through core's constant
// evaluator, lane by lane. https://www.w3.org/TR/WGSL/#builtin-functions
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "run/interpreter.h"

namespace kiln::run {

using core::BuiltinFn;
using core::TypeKind;

void Interpreter::FromConstant(const core::Constant* constant, Scalar64* to, uint32_t lane) {
  const core::Type* type = constant->type;
  if (type->is_scalar()) {
    to[lane] = constant->scalar();
    return;
  }
  if (constant->form == core::Constant::Form::kZero) return;  // scratch memory begins as zero
  if (type->Is(TypeKind::kVec) || type->Is(TypeKind::kMat)) {
    for (uint32_t i = 0; i < constant->ScalarCount(); ++i) to[size_t{i} * lanes_ + lane] = constant->ScalarAt(i);
    return;
  }
  const uint32_t count = core::ElementCountOf(type);
  for (uint32_t i = 0; i < count; ++i) {
    const core::Constant* element = constant->Element(*temporary_, i);
    FromConstant(element, to, lane);
    to += size_t{SlotsOf(element->type)} * lanes_;
  }
}

const core::Constant* Interpreter::ToConstant(const core::Type* type, const Scalar64* from, uint32_t lane) {
  if (type->is_scalar()) return core::Constant::OfScalar(*temporary_, type, from[lane]);
  std::vector<Scalar64> scalars(SlotsOf(type));
  for (size_t i = 0; i < scalars.size(); ++i) scalars[i] = from[i * lanes_ + lane];
  return core::Constant::Scalars(*temporary_, type, scalars);
}

/// Where the evaluation is an error in a constant expression, a shader has any value; here a NaN or 0.
void Interpreter::EvalAsConstant(const ir::Expr* expr, std::span<Scalar64* const> args, Scalar64* to) {
  std::vector<const core::Type*> arg_types;
  for (const ir::Expr* operand : expr->operands()) arg_types.push_back(operand->type);
  core::CallArgs call;
  call.types = arg_types;
  core::CallTarget target;
  const bool is_known =
      core::MatchBuiltin(types_, expr->builtin(), call, target) && core::Facts(target).earliest == core::Phase::kConst;
  if (!is_known) {
    return Fault(expr->range, "run-unsupported",
                 "the built-in function '" + std::string(core::Name(expr->builtin())) + "' cannot be run");
  }
  const bool is_float = core::ScalarOf(expr->type) != nullptr && core::ScalarOf(expr->type)->is_float_scalar();
  EachLane([&](uint32_t lane) {
    std::vector<const core::Constant*> values;
    for (size_t i = 0; i < args.size(); ++i) values.push_back(ToConstant(arg_types[i], args[i], lane));
    const core::EvalResult result = core::EvalCall(types_, target, values);
    if (result) return FromConstant(result.value, to, lane);
    for (uint32_t i = 0; is_float && i < SlotsOf(expr->type); ++i) {
      to[size_t{i} * lanes_ + lane].f = std::numeric_limits<double>::quiet_NaN();
    }
  });
}

namespace {

double Sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : x; }
double Fract(double x) { return x - std::floor(x); }
double RoundEven(double x) { return std::nearbyint(x); }
double Saturate(double x) { return std::min(std::max(x, 0.0), 1.0); }
double Degrees(double x) { return x * (180.0 / std::numbers::pi); }
double Radians(double x) { return x * (std::numbers::pi / 180.0); }
double InverseSqrt(double x) { return 1 / std::sqrt(x); }

using Unary = double (*)(double);
Unary UnaryOf(BuiltinFn fn) {
  struct Row {
    BuiltinFn fn;
    Unary call;
  };
  static constexpr Row kRows[] = {
      {BuiltinFn::kAbs, [](double x) { return std::fabs(x); }},
      {BuiltinFn::kAcos, [](double x) { return std::acos(x); }},
      {BuiltinFn::kAcosh, [](double x) { return std::acosh(x); }},
      {BuiltinFn::kAsin, [](double x) { return std::asin(x); }},
      {BuiltinFn::kAsinh, [](double x) { return std::asinh(x); }},
      {BuiltinFn::kAtan, [](double x) { return std::atan(x); }},
      {BuiltinFn::kAtanh, [](double x) { return std::atanh(x); }},
      {BuiltinFn::kCeil, [](double x) { return std::ceil(x); }},
      {BuiltinFn::kCos, [](double x) { return std::cos(x); }},
      {BuiltinFn::kCosh, [](double x) { return std::cosh(x); }},
      {BuiltinFn::kDegrees, Degrees},
      {BuiltinFn::kExp, [](double x) { return std::exp(x); }},
      {BuiltinFn::kExp2, [](double x) { return std::exp2(x); }},
      {BuiltinFn::kFloor, [](double x) { return std::floor(x); }},
      {BuiltinFn::kFract, Fract},
      {BuiltinFn::kInverseSqrt, InverseSqrt},
      {BuiltinFn::kLog, [](double x) { return std::log(x); }},
      {BuiltinFn::kLog2, [](double x) { return std::log2(x); }},
      {BuiltinFn::kRadians, Radians},
      {BuiltinFn::kRound, RoundEven},
      {BuiltinFn::kSaturate, Saturate},
      {BuiltinFn::kSign, Sign},
      {BuiltinFn::kSin, [](double x) { return std::sin(x); }},
      {BuiltinFn::kSinh, [](double x) { return std::sinh(x); }},
      {BuiltinFn::kSqrt, [](double x) { return std::sqrt(x); }},
      {BuiltinFn::kTan, [](double x) { return std::tan(x); }},
      {BuiltinFn::kTanh, [](double x) { return std::tanh(x); }},
      {BuiltinFn::kTrunc, [](double x) { return std::trunc(x); }},
  };
  for (const Row& row : kRows) {
    if (row.fn == fn) return row.call;
  }
  return nullptr;
}

}  // namespace

/// Functions of floats, component by component; false if it is none of them.
bool Interpreter::EvalFloat(const ir::Expr* expr, std::span<Scalar64* const> args, Scalar64* to) {
  const core::Type* scalar = core::ScalarOf(expr->type);
  if (scalar == nullptr || !scalar->is_float_scalar()) return false;
  const uint32_t slots = SlotsOf(expr->type);
  const auto each = [&](auto f) {
    for (uint32_t i = 0; i < slots; ++i) {
      const auto at = [&](size_t arg, uint32_t lane) {
        const bool is_scalar = expr->operand(static_cast<uint32_t>(arg))->type->is_scalar();
        return args[arg][(is_scalar ? 0 : size_t{i} * lanes_) + lane].f;
      };
      EachLane([&](uint32_t lane) {
        to[size_t{i} * lanes_ + lane].f = Round(scalar, f([&](size_t arg) { return at(arg, lane); }));
      });
    }
    return true;
  };
  if (args.size() == 1) {
    const Unary unary = UnaryOf(expr->builtin());
    return unary != nullptr && each([&](auto x) { return unary(x(0)); });
  }
  switch (expr->builtin()) {
    case BuiltinFn::kMin:
      return each([](auto x) { return std::fmin(x(0), x(1)); });
    case BuiltinFn::kMax:
      return each([](auto x) { return std::fmax(x(0), x(1)); });
    case BuiltinFn::kClamp:
      return each([](auto x) { return std::fmin(std::fmax(x(0), x(1)), x(2)); });
    case BuiltinFn::kPow:
      return each([](auto x) { return std::pow(x(0), x(1)); });
    case BuiltinFn::kAtan2:
      return each([](auto x) { return std::atan2(x(0), x(1)); });
    case BuiltinFn::kStep:
      return each([](auto x) { return x(0) <= x(1) ? 1.0 : 0.0; });
    case BuiltinFn::kFma:
      return each([](auto x) { return std::fma(x(0), x(1), x(2)); });
    case BuiltinFn::kMix:
      return each([&](auto x) {
        const double keep = Round(scalar, 1 - x(2));
        return Round(scalar, x(0) * keep) + Round(scalar, x(1) * x(2));
      });
    case BuiltinFn::kSmoothstep:
      return each([](auto x) {
        const double t = Saturate((x(2) - x(0)) / (x(1) - x(0)));
        return t * t * (3 - 2 * t);
      });
    case BuiltinFn::kLdexp: {
      for (uint32_t i = 0; i < slots; ++i) {
        EachLane([&](uint32_t lane) {
          const size_t at = size_t{i} * lanes_ + lane;
          const auto exponent = static_cast<int>(std::clamp<int64_t>(args[1][at].i, -100000, 100000));
          to[at].f = Round(scalar, std::ldexp(args[0][at].f, exponent));
        });
      }
      return true;
    }
    default:
      return false;
  }
}

/// Functions of whole vectors and matrices.
bool Interpreter::EvalWhole(const ir::Expr* expr, std::span<Scalar64* const> args, Scalar64* to) {
  const core::Type* type = expr->operand_count > 0 ? expr->operand(0)->type : expr->type;
  const core::Type* scalar = core::ScalarOf(type);
  const uint32_t slots = expr->operand_count > 0 ? SlotsOf(type) : 0;
  const auto dot = [&](const Scalar64* a, const Scalar64* b, uint32_t lane) {
    double sum = 0;
    for (uint32_t i = 0; i < slots; ++i) {
      const double product = Round(scalar, a[size_t{i} * lanes_ + lane].f * b[size_t{i} * lanes_ + lane].f);
      sum = i == 0 ? product : Round(scalar, sum + product);
    }
    return sum;
  };
  switch (expr->builtin()) {
    case BuiltinFn::kAll:
    case BuiltinFn::kAny:
      EachLane([&](uint32_t lane) {
        bool all = true, any = false;
        for (uint32_t i = 0; i < slots; ++i) {
          const bool value = args[0][size_t{i} * lanes_ + lane].i != 0;
          all = all && value;
          any = any || value;
        }
        to[lane].i = (expr->builtin() == BuiltinFn::kAll ? all : any) ? 1 : 0;
      });
      return true;
    case BuiltinFn::kSelect: {
      const bool is_scalar = expr->operand(2)->type->is_scalar();
      for (uint32_t i = 0; i < slots; ++i) {
        EachLane([&](uint32_t lane) {
          const bool second = args[2][(is_scalar ? 0 : size_t{i} * lanes_) + lane].i != 0;
          to[size_t{i} * lanes_ + lane] = args[second ? 1 : 0][size_t{i} * lanes_ + lane];
        });
      }
      return true;
    }
    case BuiltinFn::kDot:
      EachLane([&](uint32_t lane) {
        if (scalar->is_float_scalar()) {
          to[lane].f = dot(args[0], args[1], lane);
          return;
        }
        Scalar64 sum{.i = 0};
        for (uint32_t i = 0; i < slots; ++i) {
          const size_t at = size_t{i} * lanes_ + lane;
          sum = Operate(core::BinaryOp::kAdd, scalar, sum,
                        Operate(core::BinaryOp::kMul, scalar, args[0][at], args[1][at]));
        }
        to[lane] = sum;
      });
      return true;
    case BuiltinFn::kLength:
      EachLane([&](uint32_t lane) {
        to[lane].f = slots == 1 ? std::fabs(args[0][lane].f) : Round(scalar, std::sqrt(dot(args[0], args[0], lane)));
      });
      return true;
    case BuiltinFn::kNormalize:
      EachLane([&](uint32_t lane) {
        const double length = Round(scalar, std::sqrt(dot(args[0], args[0], lane)));
        for (uint32_t i = 0; i < slots; ++i) {
          to[size_t{i} * lanes_ + lane].f = Round(scalar, args[0][size_t{i} * lanes_ + lane].f / length);
        }
      });
      return true;
    case BuiltinFn::kTranspose: {
      const auto& mat = type->To<core::MatType>();
      for (uint32_t c = 0; c < mat.columns; ++c) {
        for (uint32_t r = 0; r < mat.rows; ++r) {
          std::copy_n(args[0] + size_t{c * mat.rows + r} * lanes_, lanes_, to + size_t{r * mat.columns + c} * lanes_);
        }
      }
      return true;
    }
    default:
      return false;
  }
}

/// Functions of integers that a shader may call with what a constant expression may not, and the most frequent ones.
bool Interpreter::EvalInteger(const ir::Expr* expr, std::span<Scalar64* const> args, Scalar64* to) {
  const core::Type* scalar = core::ScalarOf(expr->type);
  if (scalar == nullptr || !scalar->is_integer_scalar()) return false;
  const bool is_signed = scalar->is_signed_integer_scalar();
  const uint32_t slots = SlotsOf(expr->type);
  const auto each = [&](auto f) {
    for (uint32_t i = 0; i < slots; ++i) {
      EachLane([&](uint32_t lane) {
        const size_t at = size_t{i} * lanes_ + lane;
        to[at].i = f(at, lane);
      });
    }
    return true;
  };
  const auto bits = [&](uint32_t word) { return is_signed ? int64_t{static_cast<int32_t>(word)} : int64_t{word}; };
  // The part of a word that offset and count name, as far as the word goes.
  const auto range = [&](size_t first, uint32_t lane, uint32_t* offset) {
    *offset = static_cast<uint32_t>(std::min<int64_t>(args[first][lane].i, 32));
    return static_cast<uint32_t>(std::min<int64_t>(args[first + 1][lane].i, 32 - *offset));
  };
  switch (expr->builtin()) {
    case BuiltinFn::kMin:
      return each([&](size_t at, uint32_t) { return std::min(args[0][at].i, args[1][at].i); });
    case BuiltinFn::kMax:
      return each([&](size_t at, uint32_t) { return std::max(args[0][at].i, args[1][at].i); });
    case BuiltinFn::kClamp:
      return each([&](size_t at, uint32_t) { return std::min(std::max(args[0][at].i, args[1][at].i), args[2][at].i); });
    case BuiltinFn::kExtractBits:
      return each([&](size_t at, uint32_t lane) -> int64_t {
        uint32_t offset;
        const uint32_t count = range(1, lane, &offset);
        if (count == 0) return 0;
        const auto word = static_cast<uint32_t>(args[0][at].i) << (32 - offset - count);
        return is_signed ? int64_t{static_cast<int32_t>(word) >> (32 - count)} : int64_t{word >> (32 - count)};
      });
    case BuiltinFn::kInsertBits:
      return each([&](size_t at, uint32_t lane) {
        uint32_t offset;
        const uint32_t count = range(2, lane, &offset);
        if (count == 0) return args[0][at].i;
        const uint32_t mask = (count == 32 ? ~0u : (1u << count) - 1) << offset;
        const auto base = static_cast<uint32_t>(args[0][at].i);
        const uint32_t added = static_cast<uint32_t>(args[1][at].i) << offset;
        return bits((base & ~mask) | (added & mask));
      });
    default:
      return false;
  }
}

void Interpreter::EvalAtomic(const ir::Expr* expr, Scalar64* to) {
  const Pointer pointer = PointerOf(expr->operand(0));
  if (has_failed_) return;
  const core::Type* type = pointer.store->To<core::AtomicType>().element;
  if (!type->is_scalar()) return Fault(expr->range, "run-unsupported", "64-bit atomics cannot be run");
  const Scalar64* first = expr->operand_count > 1 ? Eval(expr->operand(1)) : nullptr;
  const Scalar64* second = expr->operand_count > 2 ? Eval(expr->operand(2)) : nullptr;
  if (has_failed_) return;
  EachLane([&](uint32_t lane) {
    const Scalar64 old = LoadScalar(pointer, type, lane);
    const Scalar64 value = first != nullptr ? first[lane] : Scalar64{.i = 0};
    Scalar64 result = old;
    const auto operate = [&](core::BinaryOp op) { result = Operate(op, type, old, value); };
    switch (expr->builtin()) {
      case BuiltinFn::kAtomicLoad:
        to[lane] = old;
        return;
      case BuiltinFn::kAtomicStore:
        return StoreScalar(pointer, type, lane, value);
      case BuiltinFn::kAtomicAdd:
        operate(core::BinaryOp::kAdd);
        break;
      case BuiltinFn::kAtomicSub:
        operate(core::BinaryOp::kSub);
        break;
      case BuiltinFn::kAtomicAnd:
        operate(core::BinaryOp::kAnd);
        break;
      case BuiltinFn::kAtomicOr:
        operate(core::BinaryOp::kOr);
        break;
      case BuiltinFn::kAtomicXor:
        operate(core::BinaryOp::kXor);
        break;
      case BuiltinFn::kAtomicMax:
        result.i = std::max(old.i, value.i);
        break;
      case BuiltinFn::kAtomicMin:
        result.i = std::min(old.i, value.i);
        break;
      case BuiltinFn::kAtomicExchange:
        result = value;
        break;
      case BuiltinFn::kAtomicCompareExchangeWeak:
        if (old.i == value.i) StoreScalar(pointer, type, lane, second[lane]);
        to[lane] = old;
        to[size_t{lanes_} + lane].i = old.i == value.i ? 1 : 0;
        return;
      default:
        return Fault(expr->range, "run-unsupported", "this atomic operation cannot be run");
    }
    StoreScalar(pointer, type, lane, result);
    to[lane] = old;
  });
}

void Interpreter::EvalBuiltin(const ir::Expr* expr, Scalar64* to) {
  const BuiltinFn fn = expr->builtin();
  switch (fn) {
    case BuiltinFn::kStorageBarrier:
    case BuiltinFn::kTextureBarrier:
    case BuiltinFn::kWorkgroupBarrier:
      return;  // all that stand here have done what comes before
    case BuiltinFn::kWorkgroupUniformLoad: {
      const Pointer pointer = PointerOf(expr->operand(0));
      if (!has_failed_) Load(pointer, to);
      return;
    }
    case BuiltinFn::kArrayLength: {
      const Pointer pointer = PointerOf(expr->operand(0));
      if (has_failed_) return;
      EachLane([&](uint32_t lane) { to[lane].i = static_cast<int64_t>(RuntimeCount(pointer, lane)); });
      return;
    }
    case BuiltinFn::kBufferLength: {
      const Pointer pointer = PointerOf(expr->operand(0));
      if (has_failed_) return;
      EachLane([&](uint32_t lane) { to[lane].i = static_cast<int64_t>(pointer.limit); });
      return;
    }
    default:
      break;
  }
  if (fn >= BuiltinFn::kAtomicLoad && fn <= BuiltinFn::kAtomicStoreMax) return EvalAtomic(expr, to);
  const bool is_subgroup = (fn >= BuiltinFn::kSubgroupAdd && fn <= BuiltinFn::kSubgroupXor) ||
                           (fn >= BuiltinFn::kQuadBroadcast && fn <= BuiltinFn::kQuadSwapY);
  if (!is_subgroup && fn >= BuiltinFn::kDpdx && fn <= BuiltinFn::kTextureStore) {
    return Fault(expr->range, "run-unsupported",
                 "the built-in function '" + std::string(core::Name(fn)) + "' cannot be run");
  }
  std::vector<Scalar64*> args;
  for (const ir::Expr* operand : expr->operands()) args.push_back(Eval(operand));
  if (has_failed_) return;
  if (is_subgroup) {
    if (!EvalSubgroup(expr, args, to)) KILN_UNREACHABLE("a function of subgroups");
    return;
  }
  if (EvalWhole(expr, args, to) || EvalFloat(expr, args, to) || EvalInteger(expr, args, to)) return;
  EvalAsConstant(expr, args, to);
  // Constants on the way are dropped now and then; those that the evaluator makes stay in the type table.
  if (temporary_->reserved_bytes() > (size_t{16} << 20)) temporary_ = std::make_unique<Arena>();
  if (types_.arena().reserved_bytes() > options_.max_memory) {
    Fault(expr->range, "run-memory", "the run needs more memory than it may use");
  }
}

}  // namespace kiln::run
