import * as z from 'zod';
import { desktopCall as call, type DesktopCall } from './desktop-call.ts';
import { dataFolderCalls, dataFolderEvents } from './desktop-data-folder.ts';
import { diagnosticsCalls, diagnosticsEvents } from './desktop-diagnostics.ts';
import { firstRunCalls } from './desktop-first-run.ts';
import { licenseCalls } from './desktop-license.ts';
import { networkCalls, networkEvents } from './desktop-network.ts';
import { servicesCalls, servicesProgress } from './desktop-services.ts';
import { stepUpCalls } from './desktop-step-up.ts';
import { transferCalls } from './desktop-transfer.ts';
import { updatesCalls, updatesState } from './desktop-updates.ts';
import { licenseStatus } from './license-state.ts';
import { componentNames, stackStatus } from './stack.ts';

const nothing = z.undefined();
const component = z.strictObject({ component: z.enum(componentNames).optional() });

export const desktopSettings = z.object({
  /** Starts with the session of whoever is signed in to the machine; off until somebody turns it on. */
  autostart: z.boolean(),
  /** Closing the window leaves the stack and the tray icon. */
  closeToTray: z.boolean(),
  /** Tells by the system's notifications what needs a person. */
  notices: z.boolean(),
});

/** Everything that crosses from a page to the desktop: one map for both sides. */
export const desktopCalls = {
  'stack.status': call(nothing, stackStatus),
  'stack.start': call(nothing, stackStatus),
  'stack.stop': call(nothing, stackStatus),
  /** Without a name: the whole stack. */
  'stack.restart': call(component, stackStatus),
  'settings.read': call(nothing, desktopSettings),
  'settings.change': call(desktopSettings.partial(), desktopSettings),
  /** In the system's file manager. */
  'logs.open': call(nothing, z.object({})),
  ...licenseCalls,
  ...transferCalls,
  ...firstRunCalls,
  ...diagnosticsCalls,
  ...dataFolderCalls,
  ...networkCalls,
  ...servicesCalls,
  ...updatesCalls,
  ...stepUpCalls,
} as const satisfies Record<string, DesktopCall>;
export type DesktopCallName = keyof typeof desktopCalls;
export const desktopCallNames = Object.keys(desktopCalls) as [DesktopCallName, ...DesktopCallName[]];
export type DesktopInput<Name extends DesktopCallName> = z.input<(typeof desktopCalls)[Name]['input']>;
export type DesktopOutput<Name extends DesktopCallName> = z.output<(typeof desktopCalls)[Name]['output']>;

/** What the desktop tells its pages by itself. */
export const desktopEvents = {
  'stack.changed': stackStatus,
  'license.changed': licenseStatus,
  'services.progress': servicesProgress,
  'updates.changed': updatesState,
  /** It was asked to quit, and stops the stack in order first. */
  'desktop.leaving': z.object({}),
  ...dataFolderEvents,
  ...networkEvents,
  ...diagnosticsEvents,
} as const;
export type DesktopEventName = keyof typeof desktopEvents;
export type DesktopEvent<Name extends DesktopEventName> = z.output<(typeof desktopEvents)[Name]>;

/** The desktop's answer: what was asked for, or why not, in words. */
export type DesktopAnswer<Output> =
  | { readonly ok: true; readonly value: Output }
  | { readonly ok: false; readonly message: string };

/** What the desktop lends to its own pages, as `window.castellan`; browsers have none of it. */
export interface DesktopBridge {
  /** Where the API's WebSocket is: pages of the desktop come from files. */
  readonly liveOrigin: string;
  /** What Windows alone has, such as services, is shown there alone. */
  readonly isWindows: boolean;
  call<Name extends DesktopCallName>(
    name: Name,
    input: DesktopInput<Name>,
  ): Promise<DesktopAnswer<DesktopOutput<Name>>>;
  /** Returns the way to stop listening. */
  on<Name extends DesktopEventName>(name: Name, listener: (event: DesktopEvent<Name>) => void): () => void;
}
