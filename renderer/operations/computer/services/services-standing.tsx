import { Alert, Button, Stack, Text } from '@mantine/core';
import { StateLabel, type Tone } from '../../../kit/design/state-label.tsx';
import { useWords } from '../../../kit/language/use-words.ts';
import { FailureAlert } from '../desktop-actions/failure-alert.tsx';
import { servicesWords } from '../desktop-services/services.words.ts';
import { TakenNames } from '../desktop-services/services-result.tsx';
import type { ServicesStatus } from '../desktop-services/use-services.ts';
import { sectionWords } from './services.words.ts';

const tones: Readonly<Record<NonNullable<ServicesStatus['services']>[number]['state'], Tone>> = {
  absent: 'bad',
  stopped: 'idle',
  starting: 'busy',
  stopping: 'busy',
  running: 'ok',
  paused: 'warn',
};

interface ServicesStandingProps {
  readonly status: ServicesStatus;
  readonly onLetIn: () => void;
}

/** What runs the stack now, and what stands in the way of the services. */
export const ServicesStanding = ({ status, onLetIn }: ServicesStandingProps) => {
  const words = useWords(sectionWords);
  const shared = useWords(servicesWords);
  const { mode, services, access, work } = status;
  const needsKey = mode === 'services' && (access === 'missing' || access === 'refused');
  return (
    <Stack gap="sm">
      <StateLabel tone={services?.every(({ state }) => state === 'running') ? 'ok' : 'idle'}>
        {words.now}: {mode === 'services' ? words.byServices : words.byApp}
      </StateLabel>
      {services && (
        <Stack gap="xs">
          {services.map(({ service, state }) => (
            <StateLabel key={service} tone={tones[state]}>
              {service}: {words.states[state]}
            </StateLabel>
          ))}
        </Stack>
      )}
      {needsKey && (
        <Alert color="var(--tone-warn)" variant="outline" title={shared.accessTitle}>
          <Stack gap="xs" align="flex-start">
            <Text>{access === 'refused' ? shared.accessRefused : shared.accessMissing}</Text>
            <Button variant="default" onClick={onLetIn} disabled={work !== null}>
              {shared.accessAct}
            </Button>
          </Stack>
        </Alert>
      )}
      {access === 'for-now' && <StateLabel tone="warn">{shared.accessForNow}</StateLabel>}
      <Obstacle obstacle={status.obstacle} />
    </Stack>
  );
};

const Obstacle = ({ obstacle }: Pick<ServicesStatus, 'obstacle'>) => {
  const words = useWords(sectionWords);
  switch (obstacle?.kind) {
    case 'not-windows':
      return <Text>{words.notWindows}</Text>;
    case 'taken':
      return <TakenNames names={obstacle.names} />;
    case 'not-per-machine':
      return (
        <FailureAlert title={words.notPerMachine} detail={obstacle.detail}>
          <Text>{words.notPerMachineText}</Text>
        </FailureAlert>
      );
    case 'unfit-home':
      return (
        <FailureAlert title={words.unfitHome} detail={obstacle.detail}>
          <Text>{words.unfitHomeText}</Text>
        </FailureAlert>
      );
    case 'unreadable':
      return (
        <FailureAlert title={words.unreadable} detail={obstacle.detail}>
          {null}
        </FailureAlert>
      );
    default:
      return null;
  }
};
