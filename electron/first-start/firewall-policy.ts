import type { NetworkProfile } from '#contracts/desktop/desktop-network.ts';
import type { RegistryValues } from '#runtime/windows/registry-export.ts';

/** A rule as the registry has it ([MS-GPFAS] 2.2.2.19); its words are not translated. Null: for any. */
export interface FirewallRule {
  readonly name: string;
  readonly isAllow: boolean;
  readonly isActive: boolean;
  readonly isInbound: boolean;
  readonly protocol: number | null;
  /** From the first to the last. */
  readonly ports: readonly (readonly [number, number])[] | null;
  readonly profiles: readonly NetworkProfile[] | null;
  readonly program: string | null;
  /** Whether it is only for some addresses, interfaces, services or accounts. */
  readonly isLimited: boolean;
  /** Whether it was made on this machine, and not by a policy. */
  readonly isLocal: boolean;
}

/** What holds for one kind of network. */
interface ProfileSettings {
  readonly isOn: boolean;
  /** "Block all incoming connections, including those in the list of allowed apps". */
  readonly isShielded: boolean;
  /** Whether what no rule is about may come in. */
  readonly allowsByDefault: boolean;
  /** Whether rules that were made on this machine count. */
  readonly takesLocalRules: boolean;
}

export interface FirewallPolicy {
  readonly rules: readonly FirewallRule[];
  readonly profiles: Readonly<Record<NetworkProfile, ProfileSettings>>;
}

const profileNames: Readonly<Record<string, NetworkProfile>> = {
  domain: 'domain',
  private: 'private',
  public: 'public',
};

const limiting = /^(?:LA|RA)[46]|^(?:RPort|IF|IFType|Svc|LUAuth|RUAuth|RMauth|LUOwn|AppPkgId|Security)/i;

const portsOf = (text: string): readonly [number, number] | null => {
  const [, first, last] = /^(\d+)(?:-(\d+))?$/.exec(text) ?? [];
  return first === undefined ? null : [Number(first), Number(last ?? first)];
};

/** Null for what is no rule. */
export const readRule = (text: string, isLocal: boolean): FirewallRule | null => {
  const [version, ...fields] = text.split('|');
  if (!/^v\d/i.test(version ?? '')) return null;
  const told = (name: RegExp): string[] =>
    fields.flatMap((field) => {
      const at = field.indexOf('=');
      return name.test(field.slice(0, at)) ? [field.slice(at + 1)] : [];
    });
  const one = (name: RegExp): string | null => told(name)[0] ?? null;
  const profiles = told(/^Profile$/i).flatMap((name) => profileNames[name.toLowerCase()] ?? []);
  const ports = told(/^LPort/i);
  const protocol = one(/^Protocol$/i);
  return {
    name: one(/^Name$/i) ?? '',
    isAllow: /^allow$/i.test(one(/^Action$/i) ?? ''),
    isActive: /^true$/i.test(one(/^Active$/i) ?? ''),
    isInbound: /^in$/i.test(one(/^Dir$/i) ?? ''),
    protocol: protocol === null ? null : Number(protocol),
    ports: ports.length === 0 ? null : ports.map(portsOf).filter((range) => range !== null),
    profiles: profiles.length === 0 ? null : profiles,
    program: one(/^App$/i),
    isLimited: fields.some((field) => limiting.test(field)),
    isLocal,
  };
};

/** Where Windows keeps what this machine, a policy of its domain and a management of devices have set. */
export const firewallKeys = {
  local: 'HKLM\\SYSTEM\\CurrentControlSet\\Services\\SharedAccess\\Parameters\\FirewallPolicy',
  policy: 'HKLM\\SOFTWARE\\Policies\\Microsoft\\WindowsFirewall',
} as const;

const fullKey = (key: string, ...below: string[]): string =>
  [key.replace(/^HKLM/, 'HKEY_LOCAL_MACHINE'), ...below].join('\\').toLowerCase();

/** The private profile is "Standard" in the local settings, and may have either name in a policy. */
const keysOfProfile: Readonly<Record<NetworkProfile, readonly string[]>> = {
  domain: ['DomainProfile'],
  private: ['PrivateProfile', 'StandardProfile'],
  public: ['PublicProfile'],
};

/** @param policy null where there is none */
export const readFirewallPolicy = (local: RegistryValues, policy: RegistryValues | null): FirewallPolicy => {
  const rulesIn = (values: RegistryValues | null, isLocal: boolean, ...key: [string, ...string[]]) =>
    [...(values?.get(fullKey(...key))?.values() ?? [])].flatMap((text) =>
      typeof text === 'string' ? (readRule(text, isLocal) ?? []) : [],
    );
  const settingsOf = (profile: NetworkProfile): ProfileSettings => {
    /** What a policy sets wins. */
    const setting = (name: string): number | null => {
      for (const [values, ...key] of [
        [policy, firewallKeys.policy],
        [local, firewallKeys.local, 'Mdm'],
        [local, firewallKeys.local],
      ] as const)
        for (const below of keysOfProfile[profile]) {
          const value = values?.get(fullKey(key[0], ...key.slice(1), below))?.get(name.toLowerCase());
          if (typeof value === 'number') return value;
        }
      return null;
    };
    return {
      isOn: setting('EnableFirewall') !== 0,
      isShielded: setting('DoNotAllowExceptions') === 1,
      allowsByDefault: setting('DefaultInboundAction') === 0,
      takesLocalRules: setting('AllowLocalPolicyMerge') !== 0,
    };
  };
  return {
    rules: [
      ...rulesIn(local, true, firewallKeys.local, 'FirewallRules'),
      ...rulesIn(local, false, firewallKeys.local, 'Mdm', 'FirewallRules'),
      ...rulesIn(policy, false, firewallKeys.policy, 'FirewallRules'),
    ],
    profiles: {
      domain: settingsOf('domain'),
      private: settingsOf('private'),
      public: settingsOf('public'),
    },
  };
};
