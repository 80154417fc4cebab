import { type App, shell } from 'electron';
import type { LicenseClient } from '#runtime/license/license-client.ts';
import type { Log } from '#runtime/log.ts';
import type { ServiceControl } from '#runtime/windows/service-control.ts';
import type { RunElevated } from '../elevation/run-elevated.ts';
import type { Autostart } from './autostart.ts';
import { botCalls } from './bot-calls.ts';
import { createCustomerPortal } from './customer-portal.ts';
import type { DataFolder } from './data-folder-calls.ts';
import { desktopCallsOf } from './desktop-calls.ts';
import type { DesktopRecordStore } from './desktop-record.ts';
import { diagnosticsCalls } from './diagnostics-calls.ts';
import { callsAfterFirstRun } from './first-run-calls.ts';
import { themeCalls } from './frame-theme.ts';
import type { DesktopHandlers } from './ipc-registrar.ts';
import { licenseCalls, type PortalRoute } from './license-calls.ts';
import type { LocalConfirmation } from './local-confirmation.ts';
import { firewallHere, networkCalls } from './network-calls.ts';
import type { PanelWindow } from './panel-window.ts';
import { askWhereToSave } from './save-dialog.ts';
import { servicesCalls } from './services/services-calls.ts';
import type { StackModes } from './services/stack-modes.ts';
import { transferCalls } from './transfer-calls.ts';
import type { DesktopUpdates } from './updates/desktop-updates.ts';

export interface HandlerDependencies {
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
  readonly updates: DesktopUpdates;
  readonly dataFolder: DataFolder;
  readonly confirmation: LocalConfirmation;
  readonly panel: PanelWindow;
  /** Null where there are no Windows Services. */
  readonly control: ServiceControl | null;
  readonly log: Log;
  readonly onAutostart: () => void;
}

/** Everything that the desktop answers its pages once there is a stack. */
export const handlersOf = (dependencies: HandlerDependencies): DesktopHandlers => {
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
    ...networkCalls({
      ...settings,
      log,
      firewall: firewallHere(dependencies.runElevated, node),
      tell: (state) => panel.tell('network.changed', state),
    }),
    ...botCalls(settings),
    ...dependencies.updates.calls,
    ...dependencies.confirmation.calls,
    ...diagnosticsCalls({
      home,
      stack,
      crashFolder: app.getPath('crashDumps'),
      askWhere: (name) => askWhereToSave(app, panel.now(), name),
      showFile: (path) => shell.showItemInFolder(path),
      onProgress: (progress) => panel.tell('diagnostics.progress', progress),
    }),
    ...servicesCalls({ modes: stack, control, installation: { home, programsFolder, node }, variables }),
  };
};
