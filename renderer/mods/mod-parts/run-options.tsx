import { NativeSelect } from '@mantine/core';
import { useState } from 'react';
import type { ModsJobRequest } from '#contracts/mods/mods-http.ts';
import type { HealthWatch } from '#contracts/servers/agent-mods.ts';
import { useFormat } from '../../kit/language/use-format.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { modPartsWords } from './mod-parts.words.ts';

/** Seconds. */
const countdowns = [30, 60, 120, 300, 600, 1800];
const watches = [60, 120, 300, 600, 1800];

type RunOptionsValue = Pick<ModsJobRequest, 'watch' | 'countdownSeconds'>;

/** How a change of mods is announced and monitored. @param watch its default; null: the default of each server */
export const useRunOptions = (watch: HealthWatch | null) => {
  const [countdown, setCountdown] = useState<number | null>(null);
  const [watchSeconds, setWatchSeconds] = useState<number | null>(null);
  const value: RunOptionsValue = {
    ...(countdown !== null && { countdownSeconds: countdown }),
    // The deadline for its answer stays as in the settings.
    ...(watchSeconds !== null && { watch: { watchSeconds } }),
  };
  return { countdown, setCountdown, watchSeconds, setWatchSeconds, watch, value };
};

export const RunOptions = ({ options }: { readonly options: ReturnType<typeof useRunOptions> }) => {
  const words = useWords(modPartsWords);
  const format = useFormat();
  const { countdown, setCountdown, watchSeconds, setWatchSeconds, watch } = options;
  const chosenWatch = watchSeconds ?? watch?.watchSeconds ?? null;
  const offered = [...new Set([...watches, ...(watch ? [watch.watchSeconds] : [])])]
    .filter((seconds) => seconds > 0)
    .sort((a, b) => a - b);
  return (
    <>
      <NativeSelect
        label={words.countdown}
        value={countdown === null ? '' : String(countdown)}
        onChange={({ currentTarget: { value } }) => setCountdown(value === '' ? null : Number(value))}
        data={[
          { value: '', label: words.usual },
          { value: '0', label: words.countdownNone },
          ...countdowns.map((seconds) => ({
            value: String(seconds),
            label: words.countdownFor(format.duration(seconds)),
          })),
        ]}
      />
      <NativeSelect
        label={words.watch}
        description={words.watchHelp}
        value={chosenWatch === null ? '' : String(chosenWatch)}
        onChange={({ currentTarget: { value } }) => setWatchSeconds(value === '' ? null : Number(value))}
        data={[
          ...(watch ? [] : [{ value: '', label: words.usual }]),
          { value: '0', label: words.watchNone },
          ...offered.map((seconds) => ({
            value: String(seconds),
            label: words.watchFor(format.duration(seconds)),
          })),
        ]}
      />
    </>
  );
};
