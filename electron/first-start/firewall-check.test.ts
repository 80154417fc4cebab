import { expect, test } from 'vitest';
import type { NetworkProfile } from '#contracts/desktop/desktop-network.ts';
import { readExportedValues } from '#runtime/windows/registry-export.ts';
import type { RunSystemProgram } from '#runtime/windows/system-program.ts';
import { judgeFirewall, readActiveProfiles, readOtherFirewalls } from './firewall-check.ts';
import { readFirewallPolicy, readRule } from './firewall-policy.ts';

const node = 'C:\\Program Files\\Castellan\\resources\\programs\\node.exe';
const door = { port: 3001, node };

/** As `reg export` writes them: UTF-16, backslashes doubled. */
const registry = (keys: Readonly<Record<string, Readonly<Record<string, string | number>>>>) => {
  const lines = Object.entries(keys).flatMap(([key, values]) => [
    `[${key}]`,
    ...Object.entries(values).map(([name, value]) =>
      typeof value === 'number'
        ? `"${name}"=dword:${value.toString(16).padStart(8, '0')}`
        : `"${name}"="${value.replaceAll('\\', '\\\\')}"`,
    ),
    '',
  ]);
  const text = ['Windows Registry Editor Version 5.00', '', ...lines].join('\r\n');
  return readExportedValues(Buffer.from(`\uFEFF${text}`, 'utf16le'));
};

const local =
  'HKEY_LOCAL_MACHINE\\SYSTEM\\CurrentControlSet\\Services\\SharedAccess\\Parameters\\FirewallPolicy';
const policies = 'HKEY_LOCAL_MACHINE\\SOFTWARE\\Policies\\Microsoft\\WindowsFirewall';
const rule = (change = (text: string) => text): string =>
  change(
    `v2.30|Action=Allow|Active=TRUE|Dir=In|Protocol=6|Profile=Domain|Profile=Private|LPort=3001|App=${node}|Name=Castellan-API-3001|`,
  );
const blocks = `v2.30|Action=Block|Active=TRUE|Dir=In|Protocol=6|Profile=Private|App=${node.toUpperCase()}|Name=node.exe|`;

interface Machine {
  readonly name: string;
  readonly rules: readonly string[];
  readonly settings?: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly policy?: Readonly<Record<string, Readonly<Record<string, string | number>>>>;
  readonly active: readonly NetworkProfile[] | null;
  readonly isRuleRight: boolean;
  readonly faults: readonly (readonly [kind: string, profile: string | null, ...names: string[]])[];
}

const machines: readonly Machine[] = [
  { name: 'as we made it', rules: [rule()], active: ['private'], isRuleRight: true, faults: [] },
  {
    name: 'a rented server: its network is public',
    rules: [rule()],
    active: ['public'],
    isRuleRight: true,
    faults: [['public', 'public']],
  },
  {
    name: 'public, and the owner opened the port there',
    rules: [rule(), 'v2.30|Action=Allow|Active=TRUE|Dir=In|Protocol=6|LPort2_10=3000-3010|Name=mine|'],
    active: ['public'],
    isRuleRight: true,
    faults: [],
  },
  {
    name: 'a network at home and a VPN that is public',
    rules: [rule()],
    active: ['private', 'public'],
    isRuleRight: true,
    faults: [['public', 'public']],
  },
  {
    name: 'turned off',
    rules: [rule((text) => text.replace('TRUE', 'FALSE'))],
    active: ['private'],
    isRuleRight: false,
    faults: [['rule-off', null]],
  },
  {
    name: 'for a program that has moved',
    rules: [rule((text) => text.replace('Program Files', 'Old'))],
    active: ['private'],
    isRuleRight: false,
    faults: [['rule-changed', null]],
  },
  {
    name: 'changed to block',
    rules: [rule((text) => text.replace('Allow', 'Block'))],
    active: ['private'],
    isRuleRight: false,
    faults: [
      ['rule-changed', null],
      ['blocked', 'private', 'Castellan-API-3001'],
    ],
  },
  {
    name: 'only for some addresses',
    rules: [rule((text) => text.replace('App=', 'RA4=LocalSubnet|App='))],
    active: ['private'],
    isRuleRight: false,
    faults: [['rule-changed', null]],
  },
  {
    name: 'a "no" to the question of Windows about node.exe',
    rules: [rule(), blocks, blocks.replace('Protocol=6', 'Protocol=17')],
    active: ['private'],
    isRuleRight: true,
    faults: [['blocked', 'private', 'node.exe']],
  },
  {
    name: 'blocks on other networks, of others, of some addresses, or turned off',
    rules: [
      rule(),
      blocks,
      blocks.replace('Private', 'Domain').replace('NODE.EXE', 'OTHER.EXE'),
      blocks.replace('Profile=Private', 'RA4=203.0.113.0/24'),
      blocks.replace('TRUE', 'FALSE'),
      blocks.replace('Dir=In', 'Dir=Out'),
    ],
    active: ['domain'],
    isRuleRight: true,
    faults: [],
  },
  {
    name: 'all incoming connections are blocked',
    rules: [rule()],
    settings: { StandardProfile: { EnableFirewall: 1, DoNotAllowExceptions: 1 } },
    active: ['private'],
    isRuleRight: true,
    faults: [['shielded', 'private']],
  },
  {
    name: 'the firewall is off',
    rules: [],
    settings: { PublicProfile: { EnableFirewall: 0 } },
    active: ['public'],
    isRuleRight: false,
    faults: [['off', 'public']],
  },
  {
    name: 'a company lets no rules of machines count (microsoft/WSL#4139)',
    rules: [rule()],
    policy: { DomainProfile: { AllowLocalPolicyMerge: 0 } },
    active: ['domain'],
    isRuleRight: true,
    faults: [['policy', 'domain']],
  },
  {
    name: 'a company lets it through by a rule of its own',
    rules: [rule()],
    policy: {
      DomainProfile: { AllowLocalPolicyMerge: 0 },
      FirewallRules: { '{1}': 'v2.30|Action=Allow|Active=TRUE|Dir=In|Protocol=6|LPort=3001|Name=ours|' },
    },
    active: ['domain'],
    isRuleRight: true,
    faults: [],
  },
  {
    name: 'a company turns the firewall on that was off here',
    rules: [rule()],
    settings: { StandardProfile: { EnableFirewall: 0 } },
    policy: { PrivateProfile: { EnableFirewall: 1 } },
    active: ['private'],
    isRuleRight: true,
    faults: [],
  },
  {
    name: 'Windows does not tell which networks there are',
    rules: [rule(), blocks],
    active: null,
    isRuleRight: true,
    faults: [['blocked', 'private', 'node.exe']],
  },
  { name: 'no rule', rules: [], active: ['private'], isRuleRight: false, faults: [] },
];

// Guarantee: what Windows would do with a connection is told from the registry, in every language of Windows: whether our rule counts,
// for which networks, and what wins over it (microsoft/WSL#4139; a Windows VPS has a public network).
test.for(machines)('$name', ({ rules, settings = {}, policy, active, isRuleRight, faults }) => {
  const under = (key: string, keys: Readonly<Record<string, Readonly<Record<string, string | number>>>>) =>
    Object.fromEntries(Object.entries(keys).map(([name, values]) => [`${key}\\${name}`, values]));
  const numbered = Object.fromEntries(rules.map((text, at) => [`{${at}}`, text]));
  const read = readFirewallPolicy(
    registry(under(local, { FirewallRules: numbered, ...settings })),
    policy ? registry(under(policies, policy)) : null,
  );
  const check = judgeFirewall(read, active, door);
  expect(check.isRuleRight).toBe(isRuleRight);
  expect(check.faults.map(({ kind, profile, names }) => [kind, profile, ...names])).toEqual(faults);
});

// Guarantee: what is no rule is none.
test.for(['', 'words', 'Action=Allow|Active=TRUE|'])('%j', (text) => {
  expect(readRule(text, true)).toBeNull();
});

const headings: Readonly<Record<string, Readonly<Record<NetworkProfile, string>>>> = {
  English: {
    domain: 'Domain Profile Settings:',
    private: 'Private Profile Settings:',
    public: 'Public Profile Settings:',
  },
  German: {
    domain: 'Domänenprofil-Einstellungen:',
    private: 'Privates Profil-Einstellungen:',
    public: '\uFFFDffentliches Profil-Einstellungen:',
  },
  Japanese: {
    domain: 'ドメイン プロファイル設定:',
    private: 'プライベート プロファイル設定:',
    public: 'パブリック プロファイル設定:',
  },
};
const shown = (heading: string) => `\r\n${heading} \r\n${'-'.repeat(70)}\r\nState    ON\r\n`;

// Guarantee: which networks the machine is on is read without knowing the language, and without PowerShell.
test.for(Object.entries(headings))('%s', async ([, words]) => {
  const netsh =
    (...active: NetworkProfile[]): RunSystemProgram =>
    async (_program, args) => {
      const asked = args.at(-1)?.replace('profile', '') as NetworkProfile | 'current';
      return asked === 'current'
        ? active.map((profile) => shown(words[profile])).join('')
        : shown(words[asked]);
    };
  expect(await readActiveProfiles(netsh('public'))).toEqual(['public']);
  expect(await readActiveProfiles(netsh('domain', 'public'))).toEqual(['domain', 'public']);
  expect(await readActiveProfiles(netsh())).toBeNull();
  const same: RunSystemProgram = async () => 'an error in any language\r\n';
  expect(await readActiveProfiles(same)).toBeNull();
  const none: RunSystemProgram = () => Promise.reject(new Error('ENOENT'));
  expect(await readActiveProfiles(none)).toBeNull();
});

// Guarantee: another firewall is named only while it is on, by the bit of its state.
test('other firewalls', () => {
  expect(readOtherFirewalls('266256|Kaspersky Ü\r\n262144|Norton\r\n\r\n')).toEqual(['Kaspersky Ü']);
  expect(readOtherFirewalls('')).toEqual([]);
});
