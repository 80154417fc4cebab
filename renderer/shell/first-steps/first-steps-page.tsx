import { List, Progress, Stack, Text } from '@mantine/core';
import { useCan } from '../../kit/access/access-state.ts';
import { Card } from '../../kit/design/card.tsx';
import { Loading } from '../../kit/design/loading.tsx';
import { Page as Frame } from '../../kit/design/page.tsx';
import { PanelLink } from '../../kit/design/panel-link.tsx';
import { Trouble } from '../../kit/design/trouble.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import classes from './first-steps.module.css';
import { firstStepsWords } from './first-steps.words.ts';
import { progressOf } from './onboarding-status.ts';
import { StepCard } from './step-card.tsx';
import { steps } from './steps.ts';
import { useOnboardingStatus } from './use-onboarding-status.ts';

const AllDone = () => {
  const { allDone: words } = useWords(firstStepsWords);
  const can = useCan();
  return (
    <Card title={words.title}>
      <Stack gap="xs">
        <Text>{words.text}</Text>
        <List>
          <List.Item>
            <PanelLink to="/">{words.overview}</PanelLink>
          </List.Item>
          {can('store.write') && (
            <List.Item>
              <PanelLink to="/store">{words.store}</PanelLink>
            </List.Item>
          )}
          {can('admins.write') && (
            <List.Item>
              <PanelLink to="/admins">{words.admins}</PanelLink>
            </List.Item>
          )}
          {can('settings.write') && (
            <List.Item>
              <PanelLink to="/discord">{words.discord}</PanelLink>
            </List.Item>
          )}
          {can('backups.read') && (
            <List.Item>
              <PanelLink to="/backups">{words.backups}</PanelLink>
            </List.Item>
          )}
          {can.somewhere('players.read') && (
            <List.Item>
              <PanelLink to="/players">{words.players}</PanelLink>
            </List.Item>
          )}
        </List>
      </Stack>
    </Card>
  );
};

const wholePercent = 100;

export const Page = () => {
  const words = useWords(firstStepsWords);
  const { status, isPending, error } = useOnboardingStatus();
  const { states, done, next, isAllDone } = progressOf(status);
  const says = words.progress(done, steps.length);
  return (
    <Frame title={words.title} description={words.description}>
      {isPending ? (
        <Loading rows={steps.length} />
      ) : (
        <>
          <div>
            <Text role="status" mb={4}>
              {says}
            </Text>
            <Progress value={(done / steps.length) * wholePercent} aria-label={says} />
          </div>
          {error && next === null && <Trouble error={error} />}
          {isAllDone && (
            <div role="status">
              <AllDone />
            </div>
          )}
          <ol className={classes.steps}>
            {steps.map((step, index) => (
              <StepCard
                key={step.id}
                step={step}
                number={index + 1}
                state={states[index] ?? 'unknown'}
                isNext={step.id === next}
                status={status}
              />
            ))}
          </ol>
        </>
      )}
    </Frame>
  );
};
