import { useEffect, useState } from 'react';
import type { UpdatesState } from '#contracts/desktop/desktop-updates.ts';
import { callDesktop, onDesktop } from '../../../kit/api/desktop-bridge.ts';
import { type DesktopAction, useDesktopAction } from '../../use-desktop-action.ts';

type UpdatesCall =
  | 'check'
  | 'download'
  | 'cancel'
  | 'skip'
  | 'install'
  | 'goBack'
  | 'restoreBackup'
  | 'dismiss';

export interface UseUpdates {
  /** Null until the desktop has answered. */
  readonly state: UpdatesState | null;
  readonly act: DesktopAction;
  /** @throws the desktop's refusal */
  readonly ask: (call: UpdatesCall) => Promise<void>;
  readonly setMode: (mode: UpdatesState['mode']) => Promise<void>;
}

/** The state of updates, as the desktop reports it on every change. */
export const useUpdates = (): UseUpdates => {
  const act = useDesktopAction();
  const [state, setState] = useState<UpdatesState | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: heard from the section's beginning to its end
  useEffect(() => {
    void act.run(async () => setState(await callDesktop('updates.state', undefined)));
    return onDesktop('updates.changed', setState);
  }, []);
  return {
    state,
    act,
    ask: async (call) => setState(await callDesktop(`updates.${call}`, undefined)),
    setMode: async (mode) => setState(await callDesktop('updates.change', { mode })),
  };
};
