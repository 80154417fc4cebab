import { expect, test } from 'vitest';
import { firewallCalls, firewallCommand, hasFirewallRule } from './firewall.ts';

const node = 'C:\\Program Files\\Castellan\\resources\\programs\\node.exe';

const linesOf = (change: Parameters<typeof firewallCalls>[0], program = node) =>
  firewallCalls(change, program).map((args) => args.join(' '));

// Guarantee: one question to the user opens a port and closes another, only for our program and for no public network, and
// earlier block rules of Windows are forgotten.
test('a change of the firewall', () => {
  const rule = 'name=Castellan-API-4001';
  expect(linesOf({ open: 4001, close: [3001] })).toEqual([
    'advfirewall firewall delete rule name=Castellan-API-3001',
    `advfirewall firewall delete rule name=Node.js JavaScript Runtime dir=in program=${node}`,
    `advfirewall firewall delete rule ${rule}`,
    `advfirewall firewall add rule ${rule} dir=in action=allow protocol=TCP localport=4001 program=${node} profile=private,domain`,
  ]);
  expect(firewallCommand({ open: 4001, close: [] }, node)).toContain(
    `localport=4001 "program=${node}" profile=`,
  );
  expect(firewallCommand({ open: null, close: [3001, 3002] }, node)).toBe(
    'netsh advfirewall firewall delete rule name=Castellan-API-3001 & netsh advfirewall firewall delete rule name=Castellan-API-3002',
  );
});

// Guarantee: no part of a path runs as a command where an administrator pastes the line.
test('a path that means more', () => {
  for (const path of ['D:\\a&calc\\node.exe', 'D:\\a %calc% b\\node.exe']) {
    const command = firewallCommand({ open: 4001, close: [] }, path);
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
