import * as z from 'zod';
import { licenseStatus } from '../license/license-state.ts';
import { addressTest, outsideAddress, outsideAddressKinds } from '../operations/outside-addresses.ts';
import { componentNames, stackStatus } from '../operations/stack.ts';
import { desktopCall as call, type DesktopCall } from './desktop-call.ts';
import { dataFolderCalls, dataFolderEvents } from './desktop-data-folder.ts';
import { diagnosticsCalls, diagnosticsEvents } from './desktop-diagnostics.ts';
import { firstRunCalls, firstRunEvents } from './desktop-first-run.ts';
import { licenseCalls } from './desktop-license.ts';
import { networkCalls, networkEvents } from './desktop-network.ts';
import { restoreCalls, restoreEvents } from './desktop-restore.ts';
import { servicesCalls, servicesProgress } from './desktop-services.ts';
import { transferCalls } from './desktop-transfer.ts';
import { updatesCalls, updatesState } from './desktop-updates.ts';

/** What this computer's own settings say of a proxy that could not be followed; null: nothing. */
const unreadProxy = z.enum(['script', 'detection', 'socks']).nullable();

const addressesCalls = {
  /** What the installation uses on the internet, without asking any of it. */
  'addresses.list': call(z.undefined(), z.object({ addresses: z.array(outsideAddress), unreadProxy })),
  /** Takes 15 s at most; null: it is no longer used. */
  'addresses.test': call(z.strictObject({ kind: z.enum(outsideAddressKinds) }), addressTest.nullable()),
} as const;

/** In place of the password or second factor in a browser, the desktop shows a dialog of its own. */
const stepUpCalls = {
  /** Asks the person in a dialog that no page can answer; actions in the next ten minutes count as confirmed. */
  'stepUp.confirm': call(z.undefined(), z.object({ confirmed: z.boolean() })),
} as const;

const nothing = z.undefined();
const component = z.strictObject({ component: z.enum(componentNames).optional() });

export const desktopSettings = z.object({
  /** Starts when a user signs in to the machine; off until the user turns it on. */
  autostart: z.boolean(),
  /** Closing the window keeps the stack and the tray icon. */
  closeToTray: z.boolean(),
  /** Uses the system's notifications to report what needs a person. */
  notices: z.boolean(),
});

/** As chosen in the panel; `auto` follows the system. */
export const desktopTheme = z.enum(['auto', 'light', 'dark']);
export type DesktopTheme = z.infer<typeof desktopTheme>;

/** Everything that a page can ask of the desktop: one map for both sides. */
export const desktopCalls = {
  'stack.status': call(nothing, stackStatus),
  'stack.start': call(nothing, stackStatus),
  'stack.stop': call(nothing, stackStatus),
  /** Without a name: the whole stack. */
  'stack.restart': call(component, stackStatus),
  'settings.read': call(nothing, desktopSettings),
  'settings.change': call(desktopSettings.partial(), desktopSettings),
  /** Opens them in the system's file manager. */
  'logs.open': call(nothing, z.object({})),
  /** The page's theme, so that the window's frame matches. */
  'theme.choose': call(z.strictObject({ theme: desktopTheme }), z.object({})),
  ...licenseCalls,
  ...transferCalls,
  ...firstRunCalls,
  ...diagnosticsCalls,
  ...dataFolderCalls,
  ...restoreCalls,
  ...networkCalls,
  ...addressesCalls,
  ...servicesCalls,
  ...updatesCalls,
  ...stepUpCalls,
} as const satisfies Record<string, DesktopCall>;
export type DesktopCallName = keyof typeof desktopCalls;
export const desktopCallNames = Object.keys(desktopCalls) as [DesktopCallName, ...DesktopCallName[]];
export type DesktopInput<Name extends DesktopCallName> = z.input<(typeof desktopCalls)[Name]['input']>;
export type DesktopOutput<Name extends DesktopCallName> = z.output<(typeof desktopCalls)[Name]['output']>;

/** Events that the desktop sends to its pages. */
const desktopEvents = {
  'stack.changed': stackStatus,
  'license.changed': licenseStatus,
  'services.progress': servicesProgress,
  'updates.changed': updatesState,
  /** It was asked to quit, and stops the stack in an orderly way first. */
  'desktop.leaving': z.object({}),
  ...dataFolderEvents,
  ...restoreEvents,
  ...firstRunEvents,
  ...networkEvents,
  ...diagnosticsEvents,
} as const;
export type DesktopEventName = keyof typeof desktopEvents;
export type DesktopEvent<Name extends DesktopEventName> = z.output<(typeof desktopEvents)[Name]>;

/** The desktop's answer: the result, or the reason for the failure in words. */
export type DesktopAnswer<Output> =
  | { readonly ok: true; readonly value: Output }
  | { readonly ok: false; readonly message: string };

/** What the desktop provides to its own pages as `window.castellan`; browsers have none of it. */
export interface DesktopBridge {
  /** The origin of the API's WebSocket, since pages of the desktop are loaded from files. */
  readonly liveOrigin: string;
  /** Whether to show Windows-only features, such as services. */
  readonly isWindows: boolean;
  call<Name extends DesktopCallName>(
    name: Name,
    input: DesktopInput<Name>,
  ): Promise<DesktopAnswer<DesktopOutput<Name>>>;
  /** Returns a function that stops listening. */
  on<Name extends DesktopEventName>(name: Name, listener: (event: DesktopEvent<Name>) => void): () => void;
}
