import { Alert, Button, Group, Loader, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Card } from '../../../kit/design/card.tsx';
import { ConfirmAction } from '../../../kit/design/confirm-action.tsx';
import { Loading } from '../../../kit/design/loading.tsx';
import { StateLabel, type Tone } from '../../../kit/design/state-label.tsx';
import { useWords } from '../../../kit/language/use-words.ts';
import { ActionFailed } from '../../action-failed.tsx';
import { FailureAlert } from '../desktop-actions/failure-alert.tsx';
import { servicesWords } from '../desktop-services/services.words.ts';
import { ServicesTrouble, stepInWords, TakenNames } from '../desktop-services/services-result.tsx';
import { type ServicesStatus, useServices } from '../desktop-services/use-services.ts';
import { sectionWords } from './services.words.ts';

const tones: Readonly<Record<NonNullable<ServicesStatus['services']>[number]['state'], Tone>> = {
  absent: 'bad',
  stopped: 'idle',
  starting: 'busy',
  stopping: 'busy',
  running: 'ok',
  paused: 'warn',
};

/** What runs the stack now, and what stands in the way of the services. */
const ServicesStanding = ({
  status,
  onLetIn,
}: {
  readonly status: ServicesStatus;
  readonly onLetIn: () => void;
}) => {
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

type Asked = 'install' | 'uninstall' | 'stop';

/** The stack as Windows Services: what that means, their state, and how to switch in both directions. */
export const Section = () => {
  const words = useWords(sectionWords);
  const shared = useWords(servicesWords);
  const { status, error, change } = useServices();
  const [asked, setAsked] = useState<Asked | null>(null);
  const questions = {
    install: { title: words.toServicesTitle, text: words.toServicesText, act: words.toServicesAct },
    uninstall: { title: words.toAppTitle, text: words.toAppText, act: words.toAppAct },
    stop: { title: words.stopTitle, text: words.stopText, act: words.stopAct },
  };
  const isWorking = status?.work !== null;
  const isServices = status?.mode === 'services';
  const all = status?.services ?? [];
  const some = (state: string) => all.some((each) => each.state === state);
  const isWhole = !some('absent');

  return (
    <Card title={words.title}>
      <Text>{words.what}</Text>
      <Text c="dimmed">{words.rights}</Text>
      {error !== null && <ActionFailed error={error} />}
      {status === null ? (
        error === null && <Loading />
      ) : (
        <Stack gap="md">
          <ServicesStanding status={status} onLetIn={() => void change('access')} />
          <div role="status">
            {status.work && (
              <Group gap="xs">
                <Loader size="xs" aria-hidden />
                <Text>{stepInWords(shared, status.work.step)}</Text>
              </Group>
            )}
            {status.work === null && status.last?.result.outcome === 'done' && (
              <StateLabel tone="ok">{words.done[status.last.act]}</StateLabel>
            )}
          </div>
          {status.work === null && status.last && <ServicesTrouble result={status.last.result} />}
          <Group gap="xs">
            {!isServices && (
              <Button onClick={() => setAsked('install')} disabled={isWorking || status.obstacle !== null}>
                {words.toServices}
              </Button>
            )}
            {isServices && isWhole && (
              <>
                <Button
                  variant="default"
                  disabled={isWorking || !some('stopped')}
                  onClick={() => void change('start')}
                >
                  {words.start}
                </Button>
                <Button
                  variant="default"
                  disabled={isWorking || !some('running')}
                  onClick={() => setAsked('stop')}
                >
                  {words.stop}
                </Button>
                <Button
                  variant="default"
                  disabled={isWorking || !some('running')}
                  onClick={() => void change('restart')}
                >
                  {words.restart}
                </Button>
              </>
            )}
            {isServices && !isWhole && (
              <Button onClick={() => setAsked('install')} disabled={isWorking || status.obstacle !== null}>
                {words.repair}
              </Button>
            )}
            {isServices && (
              <Button variant="default" disabled={isWorking} onClick={() => setAsked('uninstall')}>
                {words.toApp}
              </Button>
            )}
          </Group>
        </Stack>
      )}
      {asked && (
        <ConfirmAction
          title={questions[asked].title}
          act={questions[asked].act}
          isDestructive={asked !== 'install'}
          // The result is shown on the page, which the dialog would cover.
          onAction={async () => void change(asked)}
          onClose={() => setAsked(null)}
        >
          {questions[asked].text}
        </ConfirmAction>
      )}
    </Card>
  );
};
