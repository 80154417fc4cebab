import { execFile } from 'node:child_process';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { powerRule, systemdUnit, unitName } from './systemd-unit.ts';

const run = promisify(execFile);

const analyze = async (account: string, ...args: string[]) => {
  await using folder = await temporaryFolder('unit');
  const home = join(folder.path, 'home % $HOME Ж');
  await mkdir(home);
  const program = join(home, 'agent');
  await writeFile(program, '#!/bin/sh\n');
  await chmod(program, 0o755);
  const path = join(folder.path, unitName);
  await writeFile(path, systemdUnit({ program: [program, 'a "b" \\ %n'], home, account }));
  const { stdout, stderr } = await run('systemd-analyze', [...args, path], {
    env: { ...process.env, LC_ALL: 'C' },
  });
  return stdout + stderr;
};

// Guarantee: systemd accepts the unit without a warning, even if the data folder's path has blanks and special characters.
test.for(['games', 'root'])('systemd verifies the unit of %s', { tags: ['systemd'] }, async (account) => {
  expect(await analyze(account, 'verify')).toBe('');
});

// Guarantee: the sandbox does not become wider by accident. A unit without any of it has 9.6.
test.for([
  ['games', 4.1],
  ['root', 5.6],
] as const)('the exposure of %s', { tags: ['systemd'] }, async ([account, most]) => {
  const printed = await analyze(account, 'security', '--offline=true');
  const exposure = Number(/Overall exposure level[^:]*: ([\d.]+)/.exec(printed)?.[1]);
  expect(exposure).toBeGreaterThan(0);
  expect(exposure).toBeLessThanOrEqual(most);
});

// Guarantee: no unit contains anything that ends games with their agent, or breaks them.
test('what the unit must and must not say', () => {
  const unit = systemdUnit({ program: ['/p'], home: '/h', account: 'steam' });
  for (const line of [
    'KillMode=process',
    'OOMPolicy=continue',
    'Restart=always',
    'StartLimitIntervalSec=0',
    'NoNewPrivileges=yes',
    'User=steam',
  ])
    expect(unit).toMatch(new RegExp(`^${line}$`, 'm'));
  expect(unit).not.toMatch(
    /^(?:MemoryDenyWriteExecute|PrivateTmp|ProtectHome|RuntimeDirectory|RestrictNamespaces)=/m,
  );
});

// Guarantee: the rule lets this account control these units by these verbs, and nothing else.
test('the rule of polkit', () => {
  const rules: ((action: unknown, subject: unknown) => unknown)[] = [];
  const polkit = { addRule: (rule: (typeof rules)[number]) => rules.push(rule), Result: { YES: 'yes' } };
  runInNewContext(powerRule('steam', ['ark.service', 'mine"craft\\x2d1.service']), { polkit });
  const asked = (unit: string, verb: string, user = 'steam', id = 'org.freedesktop.systemd1.manage-units') =>
    rules[0]?.({ id, lookup: (name: string) => ({ unit, verb })[name] }, { user });
  expect(rules).toHaveLength(1);
  for (const verb of ['start', 'stop', 'restart', 'kill']) expect(asked('ark.service', verb)).toBe('yes');
  expect(asked('mine"craft\\x2d1.service', 'start')).toBe('yes');
  for (const [unit, verb, user, id] of [
    ['ssh.service', 'start'],
    ['ark.service', 'enable'],
    ['ark.service.d', 'start'],
    ['', 'start'],
    ['ark.service', 'start', 'games'],
    ['ark.service', 'start', 'steam', 'org.freedesktop.systemd1.manage-unit-files'],
  ] as const)
    expect(asked(unit, verb, user, id)).toBeUndefined();
});
