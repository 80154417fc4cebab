import { Button, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ActivationFailure } from '#contracts/desktop-license.ts';
import { useSecondsLeft } from '../../access/use-countdown.ts';
import { callDesktop } from '../../desktop/desktop-bridge.ts';
import { useWords } from '../../language/use-words.ts';
import { ActionFailed } from '../action-failed.tsx';
import { keyShape } from '../key-shape.ts';
import { useDesktopAction } from '../use-desktop-action.ts';
import { wizardWords } from '../wizard.words.ts';
import { ActivationFailed } from './activation-failed.tsx';

export interface KeyFormProps {
  readonly onActivated: () => void;
  readonly onFailure: (failure: ActivationFailure) => void;
}

/** Takes the key that was bought, and binds the license to this machine. */
export const KeyForm = ({ onActivated, onFailure }: KeyFormProps) => {
  const words = useWords(wizardWords);
  const act = useDesktopAction();
  const [key, setKey] = useState('');
  const [failure, setFailure] = useState<ActivationFailure | null>(null);
  const secondsLeft = useSecondsLeft(failure?.retryAfterSeconds ?? 0, failure);
  const shape = keyShape(key);

  const activate = () =>
    act.run(async () => {
      setFailure(null);
      const report = await callDesktop('license.activate', { key });
      if (report.outcome === 'activated') return onActivated();
      setFailure(report);
      onFailure(report);
    });

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (shape === 'right' && secondsLeft === 0) void activate();
      }}
    >
      <Stack>
        <TextInput
          label={words.keyLabel}
          description={words.keyHelp}
          value={key}
          onChange={({ currentTarget }) => setKey(currentTarget.value)}
          error={shape === 'mistyped' && words.keyMistyped}
          autoComplete="off"
          spellCheck={false}
          maxLength={100}
          required
          data-autofocus
          autoFocus
        />
        <div role="status">
          {shape === 'short' && words.keyShort}
          {shape === 'right' && words.keyRight}
        </div>
        {failure && <ActivationFailed failure={failure} />}
        {act.error !== null && <ActionFailed error={act.error} />}
        <Button type="submit" loading={act.isActing} disabled={shape !== 'right' || secondsLeft > 0}>
          {secondsLeft > 0 ? words.wait(secondsLeft) : words.activate}
        </Button>
      </Stack>
    </form>
  );
};
