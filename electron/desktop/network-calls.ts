import type { PortReport } from '#contracts/desktop/desktop-first-run.ts';
import type {
  FirewallFault,
  FirewallState,
  NetworkAsked,
  NetworkNews,
  NetworkState,
} from '#contracts/desktop/desktop-network.ts';
import { readEnvFile } from '#runtime/env.ts';
import type { Log } from '#runtime/log.ts';
import { ownAddresses } from '#runtime/own-addresses.ts';
import { StartupError } from '#runtime/program.ts';
import { readStackConfig, type StackConfig, stackEnvPath } from '#runtime/stack-config.ts';
import type { RunElevated } from '../elevation/run-elevated.ts';
import { type FirewallChange, firewallCommand, hasFirewallRule } from '../first-start/firewall.ts';
import { checkFirewall, type FirewallCheck } from '../first-start/firewall-check.ts';
import { checkPorts } from '../first-start/ports-check.ts';
import { changeEnv, type EnvStack } from '../network/change-env.ts';
import { isOpenHost, networkChanges, networkVariables } from '../network/network-settings.ts';
import { readDatabaseUrl } from '../stack/database-url.ts';
import type { DesktopHandlers } from './ipc-registrar.ts';

/** The firewall of Windows: reading its rules, and changing them with one question to the user. */
export interface Firewall {
  /** Whether there is a rule of ours for the port, whatever it says. */
  hasRule(port: number): Promise<boolean>;
  /** Null where Windows does not tell. */
  check(port: number): Promise<FirewallCheck | null>;
  change(change: FirewallChange): ReturnType<RunElevated>;
  /** The command with which an administrator makes that change by hand. */
  command(change: FirewallChange): string;
}

/**
 * Null where there is no firewall that we configure.
 * @param node the executable that listens
 */
export const firewallHere = (elevate: RunElevated, node: string): Firewall | null =>
  process.platform === 'win32'
    ? {
        hasRule: (port) => hasFirewallRule(port),
        check: (port) => checkFirewall({ port, node }),
        change: ({ open, close }) => elevate({ act: 'firewall', open, close: [...close] }),
        command: (change) => firewallCommand(change, node),
      }
    : null;

type NetworkHandlers = Pick<DesktopHandlers, Extract<keyof DesktopHandlers, `network.${string}`>>;

/** Ports that only this machine can reach, and the one open to everyone, if any: what the section "Network" asks for. */
export const networkCalls = (options: {
  readonly home: string;
  readonly stack: EnvStack;
  readonly log: Log;
  readonly isService: () => boolean;
  readonly firewall: Firewall | null;
  readonly tell: (state: NetworkState) => void;
}): NetworkHandlers => {
  const { home, stack, log, firewall } = options;
  let news: NetworkNews | null = null;
  let isChanging = false;
  /** Ports whose rules the settings of this run have left behind. */
  const leftPorts = new Set<number>();

  const read = async () => {
    const config = await readStackConfig(home);
    const open = config.apiHosts.filter(isOpenHost);
    return { config, isOpen: open.length > 0, host: open[0] };
  };
  const isRuleRight = async (port: number): Promise<boolean> => {
    if (!(await firewall?.hasRule(port))) return false;
    return (await firewall?.check(port))?.isRuleRight ?? true;
  };
  const firewallState = async (
    port: number,
    isOpen: boolean,
    check: FirewallCheck | null,
  ): Promise<FirewallState> => {
    if (!firewall) return null;
    try {
      if (await firewall.hasRule(port)) {
        if (!isOpen) return 'left';
        if (check?.isRuleRight === false) return 'missing';
        return check?.faults.some(({ kind }) => blockingKinds.includes(kind)) ? 'blocked' : 'open';
      }
      if (isOpen) return 'missing';
      for (const left of leftPorts) if (await firewall.hasRule(left)) return 'left';
      return 'closed';
    } catch (error) {
      log.warn({ err: error }, 'could not query the firewall');
      return isOpen ? 'missing' : 'closed';
    }
  };
  /** The change that gives the rules that the settings want. */
  const wantedOf = (port: number, isOpen: boolean): FirewallChange => ({
    open: isOpen ? port : null,
    close: [...leftPorts, ...(isOpen ? [] : [port])],
  });
  const state = async (): Promise<NetworkState> => {
    const { config, isOpen, host } = await read();
    const check = isOpen
      ? ((await firewall?.check(config.apiPort).catch((error: Error) => {
          log.warn({ err: error }, 'could not read the rules of the firewall');
          return null;
        })) ?? null)
      : null;
    const shown = await firewallState(config.apiPort, isOpen, check);
    return {
      apiPort: config.apiPort,
      postgresPort: readDatabaseUrl(config.databaseUrl).port,
      isOpen,
      ownHost: host === undefined || isEverywhere(host) ? null : host,
      hasTls: config.tls !== undefined,
      ...(isOpen ? await apiUrlsOf(config, host) : { apiUrls: [], adapters: {} }),
      firewall: shown,
      firewallFaults: [...(check?.faults ?? [])],
      firewallCommand:
        firewall && (shown === 'missing' || shown === 'left')
          ? firewall.command(wantedOf(config.apiPort, isOpen))
          : null,
      news,
      isChanging,
      isService: options.isService(),
    };
  };

  /** A refusal does not fail the change: the page shows what is missing. */
  const mendFirewall = async (open: number | null, close: readonly number[]) => {
    if (!firewall) return null;
    const found = await Promise.all(
      close.map(async (port) => ((await firewall.hasRule(port)) ? [port] : [])),
    );
    const isThere = open === null || (await isRuleRight(open));
    if (isThere && found.flat().length === 0) return 'done';
    const { outcome } = await firewall.change({ open: isThere ? null : open, close: found.flat() });
    if (outcome === 'done') for (const port of close) leftPorts.delete(port);
    return outcome;
  };
  const quietly = (work: Promise<unknown>) =>
    work.catch((error: Error) => log.warn({ err: error }, 'could not change the firewall'));

  const change = async (wanted: NetworkAsked): Promise<void> => {
    const { config, isOpen: wasOpen } = await read();
    const present = networkVariables(await readEnvFile(stackEnvPath(home)));
    const { changes, before } = networkChanges(present, wanted);
    if (Object.keys(changes).length === 0) return;
    if (wasOpen && (!wanted.isOpen || wanted.apiPort !== config.apiPort)) leftPorts.add(config.apiPort);
    leftPorts.delete(wanted.isOpen ? wanted.apiPort : -1);
    // Before anything listens there: otherwise Windows would ask the user itself, and a "no" to that blocks for good.
    if (wanted.isOpen) await quietly(mendFirewall(wanted.apiPort, [...leftPorts]));
    const report = await changeEnv({ home, stack }, changes, before);
    news = { outcome: report.outcome, detail: 'detail' in report ? report.detail : null };
    log.info({ variables: Object.keys(changes), ...news }, 'changed the network settings');
    if (report.outcome === 'done' && !wanted.isOpen) await quietly(mendFirewall(null, [...leftPorts]));
    if (report.outcome !== 'done') leftPorts.delete(config.apiPort);
    if (report.outcome !== 'done' && wanted.isOpen && wanted.apiPort !== config.apiPort)
      leftPorts.add(wanted.apiPort);
  };

  const demandOwn = () => {
    if (options.isService()) throw new StartupError(servicesWords);
    if (isChanging) throw new StartupError('A change is already in progress.');
  };
  return {
    'network.state': state,
    async 'network.check'(wanted) {
      const { config } = await read();
      const report = await checkPorts(wanted);
      const isOurs = (name: string, port: number) =>
        stack
          .status()
          .components.some((each) => each.name === name && each.pid !== null && each.port === port);
      return {
        ...report,
        api: isOurs('api', wanted.apiPort) ? asFree(report.api) : report.api,
        postgres:
          report.postgres.state === 'taken' &&
          readDatabaseUrl(config.databaseUrl).port === wanted.postgresPort &&
          isOurs('postgres', wanted.postgresPort)
            ? asFree(report.postgres)
            : report.postgres,
      };
    },
    async 'network.change'(wanted) {
      demandOwn();
      if (wanted.apiPort === wanted.postgresPort) throw new StartupError('Choose two different ports.');
      isChanging = true;
      news = null;
      try {
        await change(wanted);
      } finally {
        isChanging = false;
        // The page that asked may have been replaced.
        void state().then(options.tell, () => undefined);
      }
      return state();
    },
    async 'network.mendFirewall'() {
      const { config, isOpen } = await read();
      const { open, close } = wantedOf(config.apiPort, isOpen);
      const outcome = await mendFirewall(open, close);
      return { outcome: outcome ?? 'done', state: await state() };
    },
  };
};

export const servicesWords =
  'Windows Services run Castellan, and this account cannot change its .env. Change it as an administrator, then run: castellan services restart';

/** They keep others out, whatever our rule says. */
const blockingKinds: readonly FirewallFault['kind'][] = ['public', 'blocked', 'shielded', 'policy'];

const isEverywhere = (host: string): boolean => host === '0.0.0.0' || host === '::';

const apiUrlsOf = async (
  { tls, apiPort }: StackConfig,
  host: string | undefined,
): Promise<Pick<NetworkState, 'apiUrls' | 'adapters'>> => {
  const scheme = tls ? 'https' : 'http';
  const urlOf = (address: string) =>
    `${scheme}://${address.includes(':') ? `[${address}]` : address}:${apiPort}`;
  if (host !== undefined && !isEverywhere(host)) return { apiUrls: [urlOf(host)], adapters: {} };
  const own = await ownAddresses(host);
  return {
    apiUrls: own.map(({ address }) => urlOf(address)),
    adapters: Object.fromEntries(own.map(({ address, adapter }) => [urlOf(address), adapter])),
  };
};

const asFree = ({ port }: PortReport): PortReport => ({ port, state: 'free', owner: null, free: null });
