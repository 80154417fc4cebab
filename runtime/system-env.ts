import { proxySecrets, readProxyAddress, type UnusedProxy } from './outside/proxy-address.ts';
import { Secret } from './secret.ts';

/** The variables of our own environment that a child process needs to work at all, and none that could hold a secret. */
const names = [
  'PATH',
  'HOME',
  'USERPROFILE',
  'SystemRoot',
  'SystemDrive',
  'ProgramData',
  'TEMP',
  'TMP',
  'TMPDIR',
  'LANG',
  'TZ',
  'NODE_EXTRA_CA_CERTS',
  // Where the system's store of authorities is, if not in the usual folders.
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'NODE_COMPILE_CACHE',
  'CASTELLAN_POSTGRES_ACCOUNT',
] as const;

/** The account of the embedded Postgres when its supervisor runs as root. */
export const postgresAccountName = (): string => process.env.CASTELLAN_POSTGRES_ACCOUNT || 'castellan';

export const systemEnv = (): Record<string, string> => {
  const env: Record<string, string> = {};
  for (const name of names) {
    const value = process.env[name];
    if (value !== undefined) env[name] = value;
  }
  return env;
};

let foundProxy = { proxy: '', noProxy: '' };

/** What the system's own settings name, for machines whose environment says nothing. */
export const setFoundProxy = ({ proxy, noProxy }: typeof foundProxy): void => {
  foundProxy = { proxy, noProxy };
};

const machineVariable = (name: string): string | undefined =>
  process.env[name] || process.env[name.toLowerCase()];

/** The proxy that the machine's environment names, if it is one of a kind that is not spoken here. */
export const unusedMachineProxy = (): UnusedProxy | null => {
  const value = machineVariable('HTTPS_PROXY');
  return value && !readProxyAddress(value) ? { setting: 'HTTPS_PROXY', value: new Secret(value) } : null;
};

/**
 * The proxy that the machine's environment names, in the upper or lower case that programs accept, or else the one in the system's
 * settings. It may hold a password: only the programs that reach the internet receive it.
 */
export const machineProxyEnv = (): Record<string, string> => {
  const [named, except] = [machineVariable('HTTPS_PROXY'), machineVariable('NO_PROXY')];
  const proxy = named && !unusedMachineProxy() ? named : foundProxy.proxy;
  const noProxy = proxy === named ? except : [except, foundProxy.noProxy].filter(Boolean).join();
  return { ...(proxy ? { HTTPS_PROXY: proxy } : {}), ...(noProxy ? { NO_PROXY: noProxy } : {}) };
};

/** What no log may show of proxies that variables name, ours or those of any program: HTTPS_PROXY, all_proxy, npm_config_proxy. */
export const proxySecretsIn = (variables: Readonly<Record<string, string | undefined>>): readonly Secret[] =>
  Object.entries(variables).flatMap(([name, value = '']) =>
    /(?:^|_)proxy$/i.test(name) ? proxySecrets(value) : [],
  );

/** The same of this process's environment, and of the proxy in the system's settings. */
export const machineSecrets = (): readonly Secret[] => [
  ...proxySecretsIn(process.env),
  ...proxySecrets(foundProxy.proxy),
];
