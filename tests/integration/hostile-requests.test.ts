import { testFuzz } from '../fuzz/fuzz-tests.ts';

testFuzz({ seed: 36, apiRequests: 1000, portalRequests: 300, timeout: 120_000 });
