import { expect, test } from 'vitest';
import { changeFirewall, firewallCommand, hasFirewallRule } from './firewall.ts';

const node = 'C:\\Program Files\\Castellan\\resources\\programs\\node.exe';

const asked = async (change: Parameters<typeof changeFirewall>[0], program = node) => {
  const calls: (readonly string[])[] = [];
  await changeFirewall(change, program, async (_program, args) => {
    calls.push(args);
    return { outcome: 'done', exitCode: 0 };
  });
  expect(calls).toHaveLength(1);
  return calls[0]?.join(' ') ?? '';
};

// Guarantee: one question to the person opens a port and closes another, for our program alone and no public network, and
// what Windows was told to block before is forgotten.
test('a change of the firewall', async () => {
  const command = await asked({ open: 4001, close: [3001] });
  expect(command).toMatch(
    /^\/d \/c \S+System32\S+ advfirewall firewall delete rule name=Castellan-API-3001 & /,
  );
  expect(command).toContain(`delete rule name=Node.js JavaScript Runtime dir=in program=${node} & `);
  expect(command).toContain('delete rule name=Castellan-API-4001 & ');
  // Of a bare name the command processor would take one from the current folder.
  expect(command).not.toMatch(/(?:c|&) netsh/);
  expect(command).toMatch(/name=Castellan-API-4001 dir=in action=allow protocol=TCP localport=4001 /);
  expect(command).toMatch(/ profile=private,domain$/);
  expect(firewallCommand({ open: 4001, close: [] }, node)).toContain(
    `localport=4001 "program=${node}" profile=`,
  );
  expect(await asked({ open: null, close: [3001] })).toMatch(/name=Castellan-API-3001 & exit 0$/);
});

// Guarantee: nothing of a path is run as a command with an administrator's rights.
test('a path that means more', async () => {
  for (const path of ['D:\\a&calc\\node.exe', 'D:\\a %calc% b\\node.exe']) {
    const command = await asked({ open: 4001, close: [] }, path);
    expect(command).not.toContain('calc');
    expect(command).toContain('localport=4001 profile=private,domain');
  }
});

// Guarantee: whether there is a rule is read from an exit code, not from words; no answer is not "none".
test('whether there is a rule', async () => {
  expect(await hasFirewallRule(3001, async () => 'irgendwelche Worte')).toBe(true);
  const failing = (code: unknown) => async () => {
    throw Object.assign(new Error('netsh'), { code });
  };
  expect(await hasFirewallRule(3001, failing(1))).toBe(false);
  await expect(hasFirewallRule(3001, failing('ENOENT'))).rejects.toThrow('netsh');
});
