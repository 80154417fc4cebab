import type {
  DesktopBridge,
  DesktopCallName,
  DesktopEvent,
  DesktopEventName,
  DesktopInput,
  DesktopOutput,
} from '#contracts/desktop/desktop.ts';

declare global {
  interface Window {
    readonly castellan?: DesktopBridge;
  }
}

/** Null in a browser: anything that needs the desktop is hidden then. */
export const desktopBridge = (): DesktopBridge | null => globalThis.window?.castellan ?? null;

/** Calls the desktop. @throws its refusal, in words */
export const callDesktop = async <Name extends DesktopCallName>(
  name: Name,
  input: DesktopInput<Name>,
): Promise<DesktopOutput<Name>> => {
  const bridge = desktopBridge();
  if (!bridge) throw new Error('this page does not stand in the desktop');
  const answer = await bridge.call(name, input);
  if (!answer.ok) throw new Error(answer.message);
  return answer.value;
};

/** Listens to the desktop's events; there are none in a browser. Returns the function that stops listening. */
export const onDesktop = <Name extends DesktopEventName>(
  name: Name,
  listener: (event: DesktopEvent<Name>) => void,
): (() => void) => desktopBridge()?.on(name, listener) ?? (() => undefined);
