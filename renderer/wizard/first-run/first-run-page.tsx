import { Alert, Anchor, Button, Center, Loader, Stack, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { type FirstRunDraft, type FirstRunState, firstRunSteps } from '#contracts/desktop-first-run.ts';
import { AuthLayout } from '../../access/auth-layout.tsx';
import { Trouble } from '../../design/trouble.tsx';
import { callDesktop } from '../../desktop/desktop-bridge.ts';
import { useFormat } from '../../language/use-format.ts';
import { useWords } from '../../language/use-words.ts';
import { FailureAlert } from '../failure-alert.tsx';
import classes from '../wizard.module.css';
import { BeginStep } from './begin-step.tsx';
import { DiscordStep } from './discord-step.tsx';
import { firstRunWords } from './first-run.words.ts';
import { FolderStep } from './folder-step.tsx';
import { NetworkStep } from './network-step.tsx';
import { PortalStep } from './portal-step.tsx';

const librariesPage = 'https://aka.ms/vs/17/release/vc_redist.x64.exe';

interface StepListProps {
  readonly state: FirstRunState;
  readonly present: FirstRunDraft['step'];
}

const StepList = ({ state, present }: StepListProps) => {
  const words = useWords(firstRunWords);
  const steps = firstRunSteps.filter((step) => step !== 'portal' || !state.hasPortal);
  return (
    <nav aria-label={words.stepsLabel}>
      <ol className={classes.steps}>
        {steps.map((step, index) => (
          <li key={step} aria-current={step === present ? 'step' : undefined}>
            {index + 1}. {words.steps[step]}
          </li>
        ))}
      </ol>
    </nav>
  );
};

interface StateProps {
  readonly state: FirstRunState;
  readonly onAgain: () => void;
}

/** What nothing can be begun without. */
const Obstacles = ({ state, onAgain }: StateProps) => {
  const words = useWords(firstRunWords);
  const format = useFormat();
  const { goneHome, damagedRecord, missingLibraries, unspellableFolder } = state;
  return (
    <>
      {damagedRecord !== null && (
        <FailureAlert title={words.damaged} detail={damagedRecord}>
          <Text>{words.damagedText}</Text>
        </FailureAlert>
      )}
      {goneHome !== null && (
        <Alert color="var(--tone-warn)" variant="outline" role="alert">
          <Stack gap="xs" align="flex-start">
            <Text>{words.gone(goneHome)}</Text>
            <Button size="xs" variant="default" onClick={() => location.reload()}>
              {words.tryAgain}
            </Button>
          </Stack>
        </Alert>
      )}
      {unspellableFolder !== null && (
        <FailureAlert title={words.unspellable} detail={unspellableFolder}>
          <Text>{words.unspellableText}</Text>
        </FailureAlert>
      )}
      {missingLibraries.length > 0 && (
        <FailureAlert title={words.libraries}>
          <Text>{words.librariesText(format.list(missingLibraries))}</Text>
          <Anchor href={librariesPage} target="_blank" rel="noreferrer">
            {words.librariesLink}
          </Anchor>
          <Button size="xs" variant="default" onClick={onAgain}>
            {words.tryAgain}
          </Button>
        </FailureAlert>
      )}
    </>
  );
};

const Steps = ({ state }: { readonly state: FirstRunState }) => {
  const words = useWords(firstRunWords);
  const [draft, setDraft] = useState(state.draft);
  const [token, setToken] = useState('');
  /** Several changes may come before it is drawn again. */
  const latest = useRef(state.draft);
  const steps = useRef<HTMLElement>(null);
  const keep = (change: Partial<FirstRunDraft>) => {
    latest.current = { ...latest.current, ...change };
    setDraft(latest.current);
    void callDesktop('firstRun.keep', latest.current);
    // The button that led here is gone.
    if (change.step) requestAnimationFrame(() => steps.current?.focus());
  };
  const props = { state, draft, keep };
  return (
    <>
      <StepList state={state} present={draft.step} />
      <section ref={steps} tabIndex={-1} aria-label={words.steps[draft.step]} className={classes.step}>
        {draft.step === 'portal' && <PortalStep {...props} />}
        {draft.step === 'folder' && <FolderStep {...props} />}
        {draft.step === 'network' && <NetworkStep {...props} />}
        {draft.step === 'discord' && <DiscordStep {...props} token={token} onToken={setToken} />}
        {draft.step === 'begin' && <BeginStep {...props} token={token} />}
      </section>
    </>
  );
};

/** Before there is anything that could be started: what the owner of this machine has to choose. */
export const FirstRunPage = () => {
  const words = useWords(firstRunWords);
  const [state, setState] = useState<FirstRunState | null>(null);
  const [error, setError] = useState<unknown>(null);
  const look = () =>
    callDesktop('firstRun.state', undefined).then(
      (known) => {
        setError(null);
        setState(known);
      },
      (failure: unknown) => setError(failure),
    );
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page is new
  useEffect(() => void look(), []);
  return (
    <AuthLayout title={words.title}>
      <Text>{words.text}</Text>
      {error !== null && <Trouble error={error} onRetry={look} />}
      {state === null ? (
        error === null && (
          <Center>
            <Loader aria-label={words.checking} />
          </Center>
        )
      ) : (
        <>
          <Obstacles state={state} onAgain={look} />
          <Steps state={state} />
        </>
      )}
    </AuthLayout>
  );
};
