import { Button, Progress, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { DataFolderMove } from '#contracts/desktop/desktop-data-folder.ts';
import { Overlay } from '../../identity/access/overlay.tsx';
import { callDesktop } from '../../kit/api/desktop-bridge.ts';
import { useFormat } from '../../kit/language/use-format.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { AuthLayout } from '../access/auth-layout.tsx';
import { movingHomeWords } from './moving-home.words.ts';

/** While the data folder moves to another place: the progress, over everything else. */
export const MovingHome = ({ move }: { readonly move: DataFolderMove }) => {
  const words = useWords(movingHomeWords);
  const format = useFormat();
  const [isCalledOff, setIsCalledOff] = useState(false);
  const { step, doneBytes, bytes, doneFiles, files } = move;
  const callOff = () => {
    setIsCalledOff(true);
    callDesktop('dataFolder.cancel', undefined).catch(() => setIsCalledOff(false));
  };
  return (
    <Overlay isWhole label={words.title}>
      <AuthLayout title={words.title}>
        <Text tabIndex={-1} data-autofocus style={{ outline: 'none', overflowWrap: 'anywhere' }}>
          {words.to(move.to)}
        </Text>
        <Stack gap="xs">
          <Text role="status">{words.steps[step]}</Text>
          {bytes > 0 && (
            <>
              <Progress value={Math.min(100, (doneBytes / bytes) * 100)} aria-label={words.steps[step]} />
              <Text size="sm" c="dimmed">
                {words.done(
                  format.bytes(doneBytes),
                  format.bytes(bytes),
                  format.number(doneFiles),
                  format.number(files),
                )}
              </Text>
            </>
          )}
        </Stack>
        <Text size="sm">{words.text}</Text>
        {move.isCancellable && (
          <Button variant="default" onClick={callOff} loading={isCalledOff}>
            {words.cancel}
          </Button>
        )}
      </AuthLayout>
    </Overlay>
  );
};
