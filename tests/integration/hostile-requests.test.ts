import { testFuzz } from '../fuzz/fuzz-tests.ts';

testFuzz({ seed: 36, apiRequests: 600, portalRequests: 100, timeout: 120_000 });
