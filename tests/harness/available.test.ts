import { expect, test } from 'vitest';
import { type Machine, thisMachine, unavailable } from './available.ts';
import { testIf } from './test-if.ts';

const complete: Machine = {
  hasProgram: () => true,
  hasLibrary: () => true,
  hasPythonModule: () => true,
  hasIdentity: async () => true,
  canMount: () => true,
  labObstacle: async () => null,
};

// Guarantee: a machine with everything skips no test; on a bare one each need names what is missing and what
// installs it.
test('what a machine lacks', async () => {
  expect(await unavailable(complete)).toEqual(new Map());
  const bare = await unavailable({
    hasProgram: () => false,
    hasLibrary: () => false,
    hasPythonModule: () => false,
    hasIdentity: async () => false,
    canMount: () => false,
    labObstacle: async () => 'no lab was built',
  });
  expect([...bare.keys()].sort()).toEqual(
    [
      'debian',
      'desktop',
      'download',
      'exim',
      'faketime',
      'foreign-servers',
      'identity',
      'iproute',
      'mount',
      'notifications',
      'nsis',
      'openssl',
      'procps',
      'proxies',
      'python',
      'screen',
      'signing',
      'systemd',
      'teeworlds',
      'unzip',
      'windows',
    ].sort(),
  );
  for (const [need, reason] of bare)
    expect(reason).toContain(need === 'mount' ? 'run the tests as root' : 'npm run setup:test');
});

// Guarantee: one missing library skips the tests that depend on it, and no others.
test('one library missing', async () => {
  const reasons = await unavailable({ ...complete, hasLibrary: (name) => name !== 'libnss3.so' });
  expect([...reasons.keys()].sort()).toEqual(['desktop']);
  expect(reasons.get('desktop')).toMatch(/^libnss3\.so missing; /);
});

// Guarantee: a machine that a license cannot be bound to, such as a bare container, skips the tests that need a license.
test('no identity', async () => {
  const reasons = await unavailable({ ...complete, hasIdentity: async () => false });
  expect([...reasons.keys()].sort()).toEqual(['desktop', 'identity']);
  expect(reasons.get('identity')).toMatch(/^\/etc\/machine-id missing; /);
});

// Guarantee: things that every Linux has are found, and things that none has are not.
testIf(process.platform === 'linux')('looking on this machine', { tags: ['python'] }, () => {
  expect(thisMachine.hasProgram('sh')).toBe(true);
  expect(thisMachine.hasLibrary('libc.so.6')).toBe(true);
  expect(thisMachine.hasProgram('no-such-program')).toBe(false);
  expect(thisMachine.hasLibrary('libnone.so')).toBe(false);
  expect(thisMachine.hasPythonModule('no_such_module')).toBe(false);
});
