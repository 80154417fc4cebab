import { useEffect, useState } from 'react';
import type { DesktopOutput } from '#contracts/desktop/desktop.ts';
import type { ServicesAction } from '#contracts/desktop/desktop-services.ts';
import { callDesktop, onDesktop } from '../../../kit/api/desktop-bridge.ts';

export type ServicesStatus = DesktopOutput<'services.status'>;

interface Services {
  /** Null until the desktop has answered. */
  readonly status: ServicesStatus | null;
  /** Why the desktop could not answer. */
  readonly error: unknown;
  /** The status shows the result; a refusal is no error. */
  readonly change: (act: ServicesAction) => Promise<void>;
}

/** The current state of the Windows Services, also while something else changes them. */
export const useServices = (): Services => {
  const [status, setStatus] = useState<ServicesStatus | null>(null);
  const [error, setError] = useState<unknown>(null);
  const look = () => callDesktop('services.status', undefined).then(setStatus, setError);
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once, and again when the desktop says that there is news
  useEffect(() => {
    void look();
    const leaves = [
      onDesktop('services.progress', (progress) => {
        setStatus((before) => before && { ...before, ...progress });
        if (progress.work === null) void look();
      }),
      onDesktop('stack.changed', () => void look()),
    ];
    return () => {
      for (const leave of leaves) leave();
    };
  }, []);
  const change = async (act: ServicesAction) => {
    setError(null);
    try {
      await callDesktop(`services.${act}`, undefined);
    } catch (failure) {
      setError(failure);
    }
    await look();
  };
  return { status, error, change };
};
