import { product } from '#contracts/kernel/product.ts';
import { type RunSystemProgram, runSystemProgram } from '#runtime/windows/system-program.ts';

/** The name identifies our rule, and its port the data folder it is for; without spaces it needs no quotes. */
export const ruleName = (port: number): string => `${product.name}-API-${port}`;

/** A change of Windows's firewall: a port to let through, and those to close again. */
export interface FirewallChange {
  readonly open: number | null;
  readonly close: readonly number[];
}

export const netsh = 'netsh.exe';
const firewall = ['advfirewall', 'firewall'] as const;

/** The name of the rules that Windows makes itself when it asks about Node: a "no" there would win over our rule. */
const rulesOfWindows = 'Node.js JavaScript Runtime';

/** Whether the command processor takes a path literally; one with a space is put in quotes. */
const isPlain = (path: string): boolean =>
  /\s/.test(path) ? !/["%]/.test(path) : !/["%&|<>^!();,=]/.test(path);

const closed = (port: number): string[] => [...firewall, 'delete', 'rule', `name=${ruleName(port)}`];

/** For private and company networks, not for public ones. A rule of that name is replaced: Windows would keep several. */
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

/**
 * The arguments of each call of netsh that the change needs. A deletion that finds nothing is no failure.
 * @param node the executable that listens
 */
export const firewallCalls = ({ open, close }: FirewallChange, node: string): string[][] => [
  ...close.map(closed),
  ...(open === null ? [] : opened(open, node)),
];

/** One line of the command processor, for an administrator to run by hand. */
export const firewallCommand = (change: FirewallChange, node: string): string =>
  firewallCalls(change, node)
    .map((args) => ['netsh', ...args].map((word) => (/\s/.test(word) ? `"${word}"` : word)).join(' '))
    .join(' & ');

/** Whether a rule of ours lets this port through; any account may ask. Read from the exit code, since the text is translated. */
export const hasFirewallRule = async (
  port: number,
  run: RunSystemProgram = runSystemProgram,
): Promise<boolean> => {
  try {
    await run(netsh, [...firewall, 'show', 'rule', `name=${ruleName(port)}`]);
    return true;
  } catch (error) {
    // Its code for no matching rule. Anything else is no answer.
    if ((error as { code?: unknown }).code === 1) return false;
    throw error;
  }
};
