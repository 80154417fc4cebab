import { testFuzz } from '../../fuzz/fuzz-tests.ts';

testFuzz({
  seed: Number(process.env.CASTELLAN_KILL_SEED ?? 36),
  apiRequests: 100_000,
  portalRequests: 50_000,
  timeout: 45 * 60_000,
});
