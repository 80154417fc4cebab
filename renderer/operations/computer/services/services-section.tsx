import { Button, Group, Loader, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Card } from '../../../kit/design/card.tsx';
import { ConfirmAction } from '../../../kit/design/confirm-action.tsx';
import { Loading } from '../../../kit/design/loading.tsx';
import { StateLabel } from '../../../kit/design/state-label.tsx';
import { useWords } from '../../../kit/language/use-words.ts';
import { ActionFailed } from '../../action-failed.tsx';
import { servicesWords } from '../desktop-services/services.words.ts';
import { ServicesTrouble, stepInWords } from '../desktop-services/services-result.tsx';
import { useServices } from '../desktop-services/use-services.ts';
import { sectionWords } from './services.words.ts';
import { ServicesStanding } from './services-standing.tsx';

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
