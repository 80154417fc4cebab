import { Button, Progress, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { RestoreProgress } from '#contracts/desktop/desktop-restore.ts';
import { Overlay } from '../../identity/access/overlay.tsx';
import { callDesktop } from '../../kit/api/desktop-bridge.ts';
import { useFormat } from '../../kit/language/use-format.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { AuthLayout } from '../access/auth-layout.tsx';
import { restoringWords } from './restoring.words.ts';

/** While a backup is restored: the progress, over everything else. */
export const Restoring = ({ progress }: { readonly progress: RestoreProgress }) => {
  const words = useWords(restoringWords);
  const format = useFormat();
  const [isCalledOff, setIsCalledOff] = useState(false);
  const { act, step, doneBytes, bytes } = progress;
  const callOff = () => {
    setIsCalledOff(true);
    callDesktop('restore.cancel', undefined).catch(() => setIsCalledOff(false));
  };
  return (
    <Overlay isWhole label={words.titles[act]}>
      <AuthLayout title={words.titles[act]}>
        <Stack gap="xs">
          <Text role="status" tabIndex={-1} data-autofocus style={{ outline: 'none' }}>
            {words.steps[step]}
          </Text>
          <Progress
            value={bytes > 0 ? Math.min(100, (doneBytes / bytes) * 100) : 100}
            animated={bytes === 0}
            aria-label={words.steps[step]}
          />
          {bytes > 0 && (
            <Text size="sm" c="dimmed">
              {words.done(format.bytes(Math.min(doneBytes, bytes)), format.bytes(bytes))}
            </Text>
          )}
        </Stack>
        <Text size="sm">{words.text}</Text>
        {progress.isCancellable && (
          <Button variant="default" onClick={callOff} loading={isCalledOff}>
            {words.cancel}
          </Button>
        )}
      </AuthLayout>
    </Overlay>
  );
};
