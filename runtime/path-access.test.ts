import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { testIf } from '#harness/test-if.ts';
import { makeHome } from './home.ts';
import { accessTo, accountOnWindows, isThere, NoAccessError } from './path-access.ts';

const isRoot = process.getuid?.() === 0;

// Guarantee: what an account may not see is never taken for absent, and what is absent never for closed.
test('what is there and what is not', async () => {
  await using folder = await temporaryFolder('access');
  const at = (...parts: string[]) => join(folder.path, ...parts);
  await writeFile(at('file'), '');
  await symlink(at('nowhere'), at('link'));
  for (const path of [folder.path, at('file')]) expect([path, accessTo(path)]).toEqual([path, 'there']);
  for (const path of [at('none'), at('file', 'x'), at('link'), at('n'.repeat(300)), at('zero\0')])
    expect([path, accessTo(path), isThere(path, folder.path)]).toEqual([path, 'absent', false]);
});

// Guarantee: a folder that is closed to this account is refused with its name, never used as if it were empty.
testIf(isRoot)('what is closed', async () => {
  await using folder = await temporaryFolder('access');
  const home = join(folder.path, 'home');
  await mkdir(join(home, 'inner'), { recursive: true });
  await writeFile(join(home, 'inner', 'file'), '', { mode: 0o600 });
  await chmod(folder.path, 0o755);
  process.seteuid?.(65_534);
  try {
    expect(accessTo(join(home, 'inner', 'file'))).toBe('closed');
    expect(isThere(join(home, 'inner', 'file'), home)).toBe(true);
    process.seteuid?.(0);
    await chmod(home, 0o700);
    process.seteuid?.(65_534);
    expect(accessTo(join(home, 'inner'))).toBe('closed');
    expect(() => isThere(join(home, 'none'), home)).toThrow(NoAccessError);
    await expect(makeHome(home)).rejects.toThrow(`has no access to ${home}`);
  } finally {
    process.seteuid?.(0);
  }
});

// Guarantee: the command for an administrator names the account so that Windows finds it.
test('the name of an account on Windows', () => {
  const name = (USERDOMAIN: string | undefined, USERNAME: string | undefined, own: string) =>
    accountOnWindows(own, { USERDOMAIN, USERNAME });
  expect(name('KEEP', 'eva', 'Eva')).toBe('KEEP\\Eva');
  expect(name('AzureAD', 'EvaJörg', 'EvaJörg')).toBe('AzureAD\\EvaJörg');
  expect(name('NT AUTHORITY', 'LOCAL SERVICE', 'LOCAL SERVICE')).toBe('NT AUTHORITY\\LOCAL SERVICE');
  expect(name('WORKGROUP', 'SERVER$', 'SYSTEM')).toBe('SYSTEM');
  expect(name(undefined, undefined, 'eva')).toBe('eva');
});
