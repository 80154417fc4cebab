import { hideSecret } from './console-rows.ts';

/** Secrets that were sent to games, masked in what the games write afterwards: some log each whisper. */
export type HiddenSecrets = ReturnType<typeof createHiddenSecrets>;

/** What is whispered is valid for ten minutes. */
const hiddenMs = 600_000;

export const createHiddenSecrets = (now: () => number = Date.now) => {
  const byServer = new Map<string, Map<string, number>>();
  return {
    hide(serverId: string, secret: string): void {
      const untilBySecret = byServer.get(serverId) ?? new Map<string, number>();
      for (const [known, untilMs] of untilBySecret) if (untilMs < now()) untilBySecret.delete(known);
      untilBySecret.set(secret, now() + hiddenMs);
      byServer.set(serverId, untilBySecret);
    },
    mask(serverId: string, text: string): string {
      let masked = text;
      for (const [secret, untilMs] of byServer.get(serverId) ?? [])
        if (untilMs >= now()) masked = hideSecret(secret, masked);
      return masked;
    },
  };
};
