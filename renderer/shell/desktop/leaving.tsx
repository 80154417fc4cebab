import { Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { StackStatus } from '#contracts/operations/stack.ts';
import { Overlay } from '../../identity/access/overlay.tsx';
import { callDesktop, onDesktop } from '../../kit/api/desktop-bridge.ts';
import { StateLabel } from '../../kit/design/state-label.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { AuthLayout } from '../access/auth-layout.tsx';
import { leavingWords } from './leaving.words.ts';

/** While the desktop quits: what is still running, over everything else. */
export const Leaving = () => {
  const words = useWords(leavingWords);
  const [status, setStatus] = useState<StackStatus | null>(null);
  useEffect(() => {
    const leave = onDesktop('stack.changed', setStatus);
    // The desktop may be gone before it answers.
    callDesktop('stack.status', undefined).then(setStatus, () => undefined);
    return leave;
  }, []);
  return (
    <Overlay isWhole label={words.title}>
      <AuthLayout title={words.title}>
        {/* There is nothing to choose here; without this, the first button would look selected. */}
        <Text tabIndex={-1} data-autofocus style={{ outline: 'none' }}>
          {words.text}
        </Text>
        <Stack gap="xs" role="status">
          {status?.components.toReversed().map(({ name, state }) => {
            const isGone = state === 'stopped' || state === 'failed';
            return (
              <StateLabel key={name} tone={isGone ? 'idle' : 'busy'}>
                {words.parts[name]}: {isGone ? words.stopped : words.stopping}
              </StateLabel>
            );
          })}
        </Stack>
      </AuthLayout>
    </Overlay>
  );
};
