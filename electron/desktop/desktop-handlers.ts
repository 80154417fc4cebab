import { join } from 'node:path';
import { type App, shell } from 'electron';
import { discordTokenField } from '#contracts/discord/discord-application.ts';
import { leaveDiscordHandover } from '#runtime/discord/discord-handover.ts';
import type { LicenseClient } from '#runtime/license/license-client.ts';
import type { Log } from '#runtime/log.ts';
import { shownAddress } from '#runtime/outside/test-address.ts';
import { StartupError } from '#runtime/program.ts';
import { readStackConfig } from '#runtime/stack-config.ts';
import type { ServiceControl } from '#runtime/windows/service-control.ts';
import type { AddressTests } from '../diagnostics/address-tests.ts';
import type { RunElevated } from '../elevation/run-elevated.ts';
import { type EnvStack, writeEnv } from '../network/change-env.ts';
import type { Stack } from '../stack/stack.ts';
import { isStopped } from '../supervisor/stack-state.ts';
import type { Autostart } from './autostart.ts';
import { createCustomerPortal } from './customer-portal.ts';
import type { DataFolder } from './data-folder-calls.ts';
import type { DesktopRecordStore } from './desktop-record.ts';
import { diagnosticsCalls } from './diagnostics-calls.ts';
import { callsAfterFirstRun } from './first-run-calls.ts';
import { themeCalls } from './frame-theme.ts';
import type { DesktopHandlers } from './ipc-registrar.ts';
import { licenseCalls, type PortalRoute } from './license-calls.ts';
import type { LocalConfirmation } from './local-confirmation.ts';
import { firewallHere, networkCalls, servicesWords } from './network-calls.ts';
import type { PanelWindow } from './panel-window.ts';
import type { DesktopRestore } from './restore-calls.ts';
import { askWhereToSave } from './save-dialog.ts';
import { servicesCalls } from './services/services-calls.ts';
import type { StackModes } from './services/stack-modes.ts';
import type { SystemProxyWatch } from './system-proxy-watch.ts';
import { transferCalls } from './transfer-calls.ts';
import type { DesktopUpdates } from './updates/desktop-updates.ts';

type AddressesHandlers = Pick<DesktopHandlers, Extract<keyof DesktopHandlers, `addresses.${string}`>>;

/** The tests of addresses that pages ask for. */
const addressesCalls = (tests: AddressTests, proxy: SystemProxyWatch): AddressesHandlers => ({
  async 'addresses.list'() {
    const { unread } = await proxy.look();
    const addresses = (await tests.list()).map((address) => ({
      kind: address.kind,
      address: shownAddress(address),
    }));
    return { addresses, unreadProxy: unread };
  },
  'addresses.test': ({ kind }) => tests.test(kind),
});

type OwnCalls = Pick<
  DesktopHandlers,
  | 'stack.status'
  | 'stack.start'
  | 'stack.stop'
  | 'stack.restart'
  | 'settings.read'
  | 'settings.change'
  | 'logs.open'
>;

/** What pages ask of the stack and of the desktop's own settings. */
const desktopCallsOf = (options: {
  readonly home: string;
  readonly stack: Stack;
  readonly record: DesktopRecordStore;
  readonly autostart: Autostart;
  /** Something that the tray shows has changed. */
  readonly onChange: () => void;
}): OwnCalls => {
  const { home, stack, record, autostart, onChange } = options;
  const now = () => record.now().settings;
  const settings = async () => ({ ...now(), autostart: await autostart.isOn() });
  return {
    'stack.status': () => stack.status(),
    async 'stack.start'() {
      await stack.start();
      return stack.status();
    },
    async 'stack.stop'() {
      await stack.pause();
      return stack.status();
    },
    async 'stack.restart'({ component }) {
      await stack.restart(component);
      return stack.status();
    },
    'settings.read': settings,
    async 'settings.change'({ autostart: isOn, ...given }) {
      if (isOn !== undefined) await autostart.set(isOn);
      const { closeToTray = now().closeToTray, notices = now().notices } = given;
      await record.change({ settings: { closeToTray, notices } });
      onChange();
      return settings();
    },
    async 'logs.open'() {
      const refusal = await shell.openPath(join(home, 'logs'));
      if (refusal !== '') throw new Error(refusal);
      return {};
    },
  };
};

type BotHandlers = Pick<DesktopHandlers, Extract<keyof DesktopHandlers, `bot.${string}`>>;

/** Moves what earlier versions wrote into `.env` to where the panel can change it. */
const botCalls = ({
  home,
  stack,
  isService,
}: {
  readonly home: string;
  readonly stack: EnvStack;
  readonly isService: () => boolean;
}): BotHandlers => ({
  async 'bot.moveFromEnv'() {
    if (isService()) throw new StartupError(servicesWords);
    const config = await readStackConfig(home);
    const { discordBotToken, clientId, guildId } = config;
    if (discordBotToken && !discordTokenField.safeParse(discordBotToken.reveal()).success)
      throw new StartupError(
        'DISCORD_BOT_TOKEN in .env is not a token. Correct or remove that line by hand.',
      );
    await leaveDiscordHandover(home, config.configEncryptionKey, {
      ...(discordBotToken && { token: discordBotToken.reveal() }),
      ...(clientId !== undefined && { clientId }),
      ...(guildId !== undefined && { guildId }),
    });
    await writeEnv(home, { DISCORD_BOT_TOKEN: null, CLIENT_ID: null, GUILD_ID: null });
    if (isStopped(stack.status().state)) return {};
    // The bot first: its old settings must no longer win when the API reads the handover.
    await stack.restart('bot');
    await stack.restart('api');
    return {};
  },
});

/** Everything that the desktop answers its pages once there is a stack. */
export const handlersOf = (dependencies: {
  readonly app: App;
  readonly home: string;
  readonly programsFolder: string;
  /** The Node executable. */
  readonly node: string;
  readonly runElevated: RunElevated;
  readonly record: DesktopRecordStore;
  readonly autostart: Autostart;
  /** The environment of this process. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly stack: StackModes;
  readonly license: LicenseClient;
  readonly portalRoute: PortalRoute;
  readonly portalUrl: string;
  readonly systemProxy: SystemProxyWatch;
  readonly addresses: AddressTests;
  readonly updates: DesktopUpdates;
  readonly dataFolder: DataFolder;
  readonly restore: DesktopRestore;
  readonly confirmation: LocalConfirmation;
  readonly panel: PanelWindow;
  /** Null where there are no Windows Services. */
  readonly control: ServiceControl | null;
  readonly log: Log;
  readonly onAutostart: () => void;
}): DesktopHandlers => {
  const { app, home, node, programsFolder, record, autostart, variables } = dependencies;
  const { stack, license, portalRoute, panel, log, control } = dependencies;
  const settings = { home, stack, isService: () => stack.mode() === 'services' };
  return {
    ...desktopCallsOf({ home, stack, record, autostart, onChange: dependencies.onAutostart }),
    ...licenseCalls({ home, license, portalRoute, stack, openOutside: (url) => shell.openExternal(url) }),
    ...transferCalls({
      portal: createCustomerPortal({ portalUrl: dependencies.portalUrl, proxy: () => portalRoute.proxy }),
      hwid: () => license.status().hwid,
      activate: (key) => license.activate(key.reveal()),
    }),
    ...callsAfterFirstRun(record),
    ...themeCalls(record, log),
    ...dependencies.dataFolder.calls,
    ...dependencies.restore.calls,
    ...networkCalls({
      ...settings,
      log,
      firewall: firewallHere(dependencies.runElevated, node),
      tell: (state) => panel.tell('network.changed', state),
    }),
    ...addressesCalls(dependencies.addresses, dependencies.systemProxy),
    ...botCalls(settings),
    ...dependencies.updates.calls,
    ...dependencies.confirmation.calls,
    ...diagnosticsCalls({
      home,
      stack,
      addresses: dependencies.addresses,
      crashFolder: app.getPath('crashDumps'),
      askWhere: (name) => askWhereToSave(app, panel.now(), name),
      showFile: (path) => shell.showItemInFolder(path),
      onProgress: (progress) => panel.tell('diagnostics.progress', progress),
    }),
    ...servicesCalls({ modes: stack, control, installation: { home, programsFolder, node }, variables }),
  };
};
