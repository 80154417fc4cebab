import { type RunSystemProgram, runSystemProgram } from './system-program.ts';

/** What Windows' settings say of the proxy for https. */
export interface InternetSettings {
  /** Such as proxy.example:8080; empty: none. */
  readonly proxy: string;
  /** What is reached without it, as Windows writes it: 10.20.*;*.example.com;<local> */
  readonly bypass: string;
  /** What decides for each address, and only programs like browsers can carry out; null: nothing. */
  readonly automatic: 'script' | 'detection' | null;
}

const nothing: InternetSettings = { proxy: '', bypass: '', automatic: null };

const accountKey = 'HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Internet Settings';
const machineKey = 'HKLM\\SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\Internet Settings';
const policyKey = 'HKLM\\SOFTWARE\\Policies\\Microsoft\\Windows\\CurrentVersion\\Internet Settings';

/**
 * "Make proxy settings per-machine (rather than per-user)": then the settings of no account count, and those of the machine have the
 * same form. https://learn.microsoft.com/windows-hardware/customize/desktop/unattend/microsoft-windows-ie-clientnetworkprotocolimplementation-hklmproxyenable
 */
const isPerMachine = (printed: string): boolean =>
  /^ {4}ProxySettingsPerUser {4}REG_DWORD {4}0x0\r?$/im.test(printed);

/**
 * The proxy for https among those of a setting: one for all protocols, or `http=…;https=…`, with or without a scheme before the host.
 * SOCKS is not spoken here. https://learn.microsoft.com/windows/win32/api/winhttp/ns-winhttp-winhttp_proxy_info
 */
export const proxyForHttps = (setting: string): string => {
  const entries = setting.split(/[;\s]+/).filter((entry) => entry !== '');
  const named = entries.find((entry) => /^https=/i.test(entry))?.slice('https='.length);
  const forAll = entries.find((entry) => !/^\w+=/.test(entry));
  const proxy = (named ?? forAll ?? '').replace(/\/+$/, '');
  return /^socks/i.test(proxy) ? '' : proxy;
};

/** The values of a key by name, lower case, as `reg query` prints them; names of types are the same in each language. */
const valuesOf = (printed: string): ReadonlyMap<string, string> =>
  new Map(
    [...printed.matchAll(/^ {4}(\S.*?) {4}REG_(?:SZ|EXPAND_SZ|DWORD|BINARY) {4}(.*?)\r?$/gm)].map(
      ([, name = '', value = '']) => [name.toLowerCase(), value],
    ),
  );

const isOn = (value: string | undefined): boolean => value !== undefined && Number(value) !== 0;

const flag = { proxy: 0x2, script: 0x4, detection: 0x8 } as const;

/** The binary form of settings: its version, a counter, flags, then texts with their lengths before them; all numbers in 4 bytes. */
const readBinary = (hex: string) => {
  const bytes = Buffer.from(hex, 'hex');
  let at = 12;
  const text = (): string => {
    if (bytes.length < at + 4) return '';
    const length = bytes.readUInt32LE(at);
    at += 4 + length;
    return bytes.toString('latin1', at - length, at);
  };
  const flags = bytes.length < 12 ? 0 : bytes.readUInt32LE(8);
  return { flags, proxy: text(), bypass: text() };
};

/**
 * The signed-in person's, which a service does not share, or by policy the machine's. Tools that write settings leave out the values or
 * the binary form of the same: https://www.spad.uk/posts/how-does-proxysettingsperuser-work/
 * @param connections the values of the key below
 */
export const accountSettings = (printed: string, connections: string): InternetSettings => {
  const values = valuesOf(printed);
  const { flags, proxy, bypass } = readBinary(valuesOf(connections).get('defaultconnectionsettings') ?? '');
  const enabled = values.get('proxyenable');
  const isBinary = enabled === undefined && (flags & flag.proxy) !== 0;
  const isScript = values.get('autoconfigurl') || (flags & flag.script) !== 0;
  const isDetected = isOn(values.get('autodetect')) || (flags & flag.detection) !== 0;
  return {
    proxy: isBinary
      ? proxyForHttps(proxy)
      : isOn(enabled)
        ? proxyForHttps(values.get('proxyserver') ?? '')
        : '',
    bypass: (isBinary ? bypass : values.get('proxyoverride')) ?? '',
    automatic: isScript ? 'script' : isDetected ? 'detection' : null,
  };
};

/** Those of WinHTTP, which `netsh winhttp set proxy` writes for all accounts, and whose own display is translated. */
export const machineSettings = (printed: string): InternetSettings => {
  const { flags, proxy, bypass } = readBinary(valuesOf(printed).get('winhttpsettings') ?? '');
  return (flags & flag.proxy) === 0 ? nothing : { proxy: proxyForHttps(proxy), bypass, automatic: null };
};

/**
 * The proxy of this process' account, or of the whole machine where that has none.
 * @returns null when Windows does not say
 */
export const readInternetSettings = async (
  run: RunSystemProgram = runSystemProgram,
): Promise<InternetSettings | null> => {
  const query = (key: string) => run('reg.exe', ['query', key]).catch(() => null);
  const [account, accountBinary, machine, machineBinary, policy] = await Promise.all([
    query(accountKey),
    query(`${accountKey}\\Connections`),
    query(machineKey),
    query(`${machineKey}\\Connections`),
    query(policyKey),
  ]);
  if ([account, machine, machineBinary].every((answer) => answer === null)) return null;
  const own = isPerMachine(policy ?? '')
    ? accountSettings(machine ?? '', machineBinary ?? '')
    : accountSettings(account ?? '', accountBinary ?? '');
  const all = machineSettings(machineBinary ?? '');
  return own.proxy === '' && all.proxy !== '' ? { ...all, automatic: own.automatic } : own;
};
