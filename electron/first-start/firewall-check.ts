import type { FirewallFault, NetworkProfile } from '#contracts/desktop/desktop-network.ts';
import { type WayToList, windowsLister } from '#runtime/windows/listing.ts';
import { exportRegistryKey, readExportedValues } from '#runtime/windows/registry-export.ts';
import { type RunSystemProgram, runSystemProgram } from '#runtime/windows/system-program.ts';
import { netsh, ruleName } from './firewall.ts';
import {
  type FirewallPolicy,
  type FirewallRule,
  firewallKeys,
  readFirewallPolicy,
} from './firewall-policy.ts';

/** What stands at the machine's door for a port, besides whether our rule exists. */
export interface FirewallCheck {
  /** Whether our rule lets this program through at this port on private and company networks. */
  readonly isRuleRight: boolean;
  readonly faults: readonly FirewallFault[];
}

interface CheckedDoor {
  readonly port: number;
  /** The executable that listens. */
  readonly node: string;
}

const tcp = 6;
const allProfiles: readonly NetworkProfile[] = ['domain', 'private', 'public'];
/** Of our rule: see firewall.ts. */
const ourProfiles: readonly NetworkProfile[] = ['domain', 'private'];

/** Paths in rules may hold variables, and Windows does not tell their case apart. */
const samePath = (one: string, other: string): boolean => {
  const plain = (path: string) =>
    // biome-ignore lint/style/noProcessEnv: of the machine
    path.replace(/%([^%]+)%/g, (whole, name: string) => process.env[name] ?? whole).toLowerCase();
  return plain(one) === plain(other);
};

/** Whether a rule is about connections to this program at this port from anywhere. */
const isAbout =
  ({ port, node }: CheckedDoor) =>
  (rule: FirewallRule): boolean =>
    rule.isInbound &&
    rule.isActive &&
    !rule.isLimited &&
    (rule.protocol === null || rule.protocol === tcp) &&
    (rule.ports === null || rule.ports.some(([first, last]) => first <= port && port <= last)) &&
    (rule.program === null || samePath(rule.program, node));

/** @param active the profiles of the networks that the machine is on; null where Windows does not tell them */
export const judgeFirewall = (
  { rules, profiles }: FirewallPolicy,
  active: readonly NetworkProfile[] | null,
  door: CheckedDoor,
): FirewallCheck => {
  const ours = rules.filter(({ name, isLocal }) => isLocal && name === ruleName(door.port));
  const about = rules.filter(isAbout(door));
  const isFor = (profile: NetworkProfile) => (rule: FirewallRule) => rule.profiles?.includes(profile) ?? true;
  const isRuleRight = ourProfiles.every((profile) =>
    about.some((rule) => ours.includes(rule) && rule.isAllow && isFor(profile)(rule)),
  );
  const faults: FirewallFault[] = [];
  const add = (kind: FirewallFault['kind'], profile: NetworkProfile | null, names: readonly string[] = []) =>
    faults.push({ kind, profile, names: [...names] });
  if (ours.length > 0 && !isRuleRight)
    add(ours.every(({ isActive }) => !isActive) ? 'rule-off' : 'rule-changed', null);
  for (const profile of active ?? ourProfiles) {
    const { isOn, isShielded, allowsByDefault, takesLocalRules } = profiles[profile];
    const counting = about.filter((rule) => isFor(profile)(rule) && (takesLocalRules || !rule.isLocal));
    const blocking = counting.filter(({ isAllow }) => !isAllow).map(({ name }) => name);
    if (!isOn) add('off', profile);
    else if (isShielded) add('shielded', profile);
    else if (blocking.length > 0) add('blocked', profile, new Set(blocking).values().toArray());
    else if (allowsByDefault || counting.some(({ isAllow }) => isAllow)) continue;
    else if (!takesLocalRules) add('policy', profile);
    else if (isRuleRight && !ourProfiles.includes(profile)) add('public', profile);
  }
  return { isRuleRight, faults };
};

const show = ['advfirewall', 'show'] as const;

/**
 * The profiles of the networks that the machine is on, without PowerShell: `netsh` heads what it shows of the current ones with the
 * same line, in its own language, as what it shows of each. Null where that cannot be told.
 */
export const readActiveProfiles = async (
  run: RunSystemProgram = runSystemProgram,
): Promise<readonly NetworkProfile[] | null> => {
  const linesOf = async (what: string): Promise<string[]> =>
    (await run(netsh, [...show, `${what}profile`])).split(/\r?\n/).map((line) => line.trim());
  try {
    const current = await linesOf('current');
    const headings = await Promise.all(
      allProfiles.map(async (profile) => (await linesOf(profile)).find((line) => line !== '') ?? ''),
    );
    if (new Set(headings).size < allProfiles.length) return null;
    const active = allProfiles.filter((_profile, at) => current.includes(headings[at] ?? ''));
    return active.length > 0 ? active : null;
  } catch {
    // Older or reduced versions of Windows do not have it: only the profiles of our rule are looked at.
    return null;
  }
};

/** Of its state: the firewall is on. https://learn.microsoft.com/windows/win32/api/iwscapi/ne-iwscapi-wsc_security_product_state */
const isOnMask = 0x1000;
const listFirewalls = [
  '[Console]::OutputEncoding = [Text.Encoding]::UTF8;',
  'Get-CimInstance -Namespace root/SecurityCenter2 -ClassName FirewallProduct |',
  "ForEach-Object { '{0}|{1}' -f $_.productState, $_.displayName }",
].join(' ');
const firewalls: WayToList = [
  'WindowsPowerShell\\v1.0\\powershell.exe',
  ['-NoProfile', '-NonInteractive', '-Command', listFirewalls],
];

/** From lines of state and name. */
export const readOtherFirewalls = (printed: string): readonly string[] =>
  Array.from(printed.matchAll(/^(\d+)\|(.+?)\r?$/gm), ([, state, name = '']) => ({ state, name })).flatMap(
    ({ state, name }) => ((Number(state) & isOnMask) === 0 ? [] : [name]),
  );

/** Other firewalls that are on, as they have told Windows; none where Windows keeps no such list, as servers do. */
const otherFirewalls = (run: RunSystemProgram): Promise<readonly string[]> =>
  windowsLister.list([firewalls], readOtherFirewalls, run).catch(() => []);

/** Null where Windows does not let this account read the rules. */
export const checkFirewall = async (
  door: CheckedDoor,
  run: RunSystemProgram = runSystemProgram,
): Promise<FirewallCheck | null> => {
  const [local, policy, active, others] = await Promise.all([
    exportRegistryKey(firewallKeys.local, run),
    exportRegistryKey(firewallKeys.policy, run),
    readActiveProfiles(run),
    otherFirewalls(run),
  ]);
  if (local === null) return null;
  const read = readFirewallPolicy(readExportedValues(local), policy && readExportedValues(policy));
  const { isRuleRight, faults } = judgeFirewall(read, active, door);
  const other: FirewallFault[] =
    others.length > 0 ? [{ kind: 'other-firewall', profile: null, names: [...others] }] : [];
  return { isRuleRight, faults: [...faults, ...other] };
};
