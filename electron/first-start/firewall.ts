import { join } from 'node:path';
import { product } from '#contracts/product.ts';
import { type RunSystemProgram, runSystemProgram, systemFolder } from '#runtime/windows/system-program.ts';
import { type Elevation, type RunElevated, runElevated } from '../elevation/run-elevated.ts';

/** By this name the rule is found again, and by its port the home that it is for; without spaces it needs no quotes. */
const ruleName = (port: number): string => `${product.name}-API-${port}`;

/** What becomes of the firewall of Windows: a port that is let through, and those that are not any more. */
export interface FirewallChange {
  readonly open: number | null;
  readonly close: readonly number[];
}

const netsh = 'netsh.exe';
const firewall = ['advfirewall', 'firewall'] as const;

/** As Windows names the rules that it makes by itself when it asks about a Node: a "no" there would win over our rule. */
const rulesOfWindows = 'Node.js JavaScript Runtime';

/** Whether the command processor takes a path for nothing else; what has a space in it stands in quotes. */
const isPlain = (path: string): boolean =>
  /\s/.test(path) ? !/["%]/.test(path) : !/["%&|<>^!();,=]/.test(path);

const closed = (port: number): string[] => [...firewall, 'delete', 'rule', `name=${ruleName(port)}`];

/** For the private and the company's network; nothing from public ones. A rule of that name is replaced: Windows would keep several. */
const opened = (port: number, node: string): string[][] => {
  const program = isPlain(node) ? [`program=${node}`] : [];
  const ofWindows = [...firewall, 'delete', 'rule', `name=${rulesOfWindows}`, 'dir=in', ...program];
  const ours = ['dir=in', 'action=allow', 'protocol=TCP', `localport=${port}`, ...program];
  return [
    ...(program.length > 0 ? [ofWindows] : []),
    closed(port),
    [...firewall, 'add', 'rule', `name=${ruleName(port)}`, ...ours, 'profile=private,domain'],
  ];
};

/** As one line of the command processor. */
const joined = (program: string, calls: readonly (readonly string[])[]): string[] =>
  calls.flatMap((args, index) => [...(index > 0 ? ['&'] : []), program, ...args]);

/** A deletion that finds nothing is no failure. */
const callsFor = ({ open, close }: FirewallChange, node: string): string[][] => [
  ...close.map(closed),
  ...(open === null ? [] : opened(open, node)),
];

/** To be run by an administrator. */
export const firewallCommand = (change: FirewallChange, node: string): string =>
  joined('netsh', callsFor(change, node))
    .map((word) => (/\s/.test(word) ? `"${word}"` : word))
    .join(' ');

/**
 * Changes it with one question to the person.
 * @param node the executable that listens
 */
export const changeFirewall = (
  change: FirewallChange,
  node: string,
  elevate: RunElevated = runElevated,
): Promise<Elevation> => {
  // By full path: a bare name would be looked for in the current folder first.
  const words = joined(join(systemFolder, netsh), callsFor(change, node));
  const end = change.open === null ? ['&', 'exit', '0'] : [];
  return elevate(join(systemFolder, 'cmd.exe'), ['/d', '/c', ...words, ...end]);
};

/** Whether a rule of ours lets this port through; everybody may ask. By the exit code, since the words are translated. */
export const hasFirewallRule = async (
  port: number,
  run: RunSystemProgram = runSystemProgram,
): Promise<boolean> => {
  try {
    await run(netsh, [...firewall, 'show', 'rule', `name=${ruleName(port)}`]);
    return true;
  } catch (error) {
    // Its number for: no rule matches. Anything else is no answer.
    if ((error as { code?: unknown }).code === 1) return false;
    throw error;
  }
};
