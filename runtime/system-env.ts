import { proxySecrets } from './outside/proxy-address.ts';
import type { Secret } from './secret.ts';

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

/**
 * The proxy that the machine's environment names, in the upper or lower case that programs accept, or else the one in the system's
 * settings. It may hold a password: only the programs that reach the internet receive it.
 */
export const machineProxyEnv = (): Record<string, string> => {
  const env: Record<string, string> = {};
  for (const name of ['HTTPS_PROXY', 'NO_PROXY']) {
    const value = process.env[name] || process.env[name.toLowerCase()];
    if (value) env[name] = value;
  }
  if (env.HTTPS_PROXY || foundProxy.proxy === '') return env;
  const noProxy = [env.NO_PROXY, foundProxy.noProxy].filter(Boolean).join();
  return { HTTPS_PROXY: foundProxy.proxy, ...(noProxy ? { NO_PROXY: noProxy } : {}) };
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
