import { Progress, Text } from '@mantine/core';
import { Loading } from '../../design/loading.tsx';
import { Page as Frame } from '../../design/page.tsx';
import { Trouble } from '../../design/trouble.tsx';
import { useWords } from '../../language/use-words.ts';
import { AllDone } from './all-done.tsx';
import classes from './first-steps.module.css';
import { firstStepsWords } from './first-steps.words.ts';
import { progressOf } from './onboarding-status.ts';
import { StepCard } from './step-card.tsx';
import { steps } from './steps.ts';
import { useOnboardingStatus } from './use-onboarding-status.ts';

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
