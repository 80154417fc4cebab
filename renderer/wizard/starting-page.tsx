import { Button, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { StackStatus } from '#contracts/stack.ts';
import { askAccess } from '../access/access-state.ts';
import { AuthLayout } from '../access/auth-layout.tsx';
import { StateLabel } from '../design/state-label.tsx';
import { callDesktop, onDesktop } from '../desktop/desktop-bridge.ts';
import { ServicesRescue } from '../desktop/services-rescue.tsx';
import { useWords } from '../language/use-words.ts';
import { ActionFailed } from './action-failed.tsx';
import { componentTones } from './diagnostics/component-tones.ts';
import { TroubleHelp } from './diagnostics/trouble-help.tsx';
import { useTroubledPart } from './diagnostics/use-troubled-part.ts';
import { UpdateRescue } from './updates/update-rescue.tsx';
import { useDesktopAction } from './use-desktop-action.ts';
import { useOtherPorts } from './use-other-ports.ts';
import { wizardWords } from './wizard.words.ts';

const standstillOf = (status: StackStatus | null) =>
  status?.state === 'stopped' || status?.state === 'stopping' || status?.state === 'failed'
    ? status.state
    : 'starting';

/** While the API does not answer: what each part of the stack is doing, and what to do when it does not go on. */
export const StartingPage = () => {
  const words = useWords(wizardWords);
  const act = useDesktopAction();
  const [status, setStatus] = useState<StackStatus | null>(null);
  useEffect(() => {
    const hear = (told: StackStatus) => {
      setStatus(told);
      void askAccess();
    };
    callDesktop('stack.status', undefined).then(setStatus, () => undefined);
    return onDesktop('stack.changed', hear);
  }, []);
  const otherPorts = useOtherPorts(status);
  const fault = otherPorts.fault ?? act.error;
  const standstill = standstillOf(status);
  const isStill = standstill === 'stopped' || standstill === 'failed';
  // Restoring a backup stops and starts everything itself, and has to say there what came of it.
  const [wasStill, setWasStill] = useState(false);
  if (isStill && !wasStill) setWasStill(true);
  const troubled = useTroubledPart(status);
  const { title, text } = words.away[standstill];
  // After a failure, what was mended in the settings is read again.
  const start = () => act.run(() => callDesktop('stack.restart', {}));
  return (
    <AuthLayout title={title}>
      <Text>{text}</Text>
      <Stack gap="xs" role="status">
        {status?.components.map(({ name, state, reason }) => (
          <div key={name}>
            <StateLabel tone={componentTones[state]}>{words.parts[name]}</StateLabel>
            {reason && (
              <Text size="sm" c="dimmed" lang="en">
                <bdi>{reason}</bdi>
              </Text>
            )}
          </div>
        ))}
      </Stack>
      {fault !== null && <ActionFailed error={fault} />}
      {otherPorts.ports && (
        <Button onClick={otherPorts.change} loading={otherPorts.isActing}>
          {words.otherPorts(otherPorts.ports)}
        </Button>
      )}
      {isStill && (
        <Button variant={otherPorts.ports ? 'default' : 'filled'} onClick={start} loading={act.isActing}>
          {standstill === 'stopped' ? words.startAll : words.tryAgain}
        </Button>
      )}
      {isStill && <ServicesRescue />}
      {wasStill && <UpdateRescue />}
      <TroubleHelp component={troubled ?? 'supervisor'} isNeeded={troubled !== undefined} />
    </AuthLayout>
  );
};
