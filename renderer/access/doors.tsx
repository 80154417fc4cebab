import { Button, Center, Loader, Stack, Text, Title } from '@mantine/core';
import { Fragment, lazy, type ReactNode, Suspense, useEffect } from 'react';
import { Trouble } from '../design/trouble.tsx';
import { useWords } from '../language/use-words.ts';
import { whileAway } from '../routing/pieces.ts';
import { isPassing } from '../wire/api-problem.ts';
import { accessWords } from './access.words.ts';
import { type Access, askAccess, useAccess, useLicenseRefusal, useMaybeMe } from './access-state.ts';
import { Cover } from './cover.tsx';
import { Gatehouse } from './gatehouse.tsx';
import { SignInForm } from './sign-in-form.tsx';

const SetUpPage = lazy(
  whileAway(() => import('./set-up-page.tsx').then(({ SetUpPage }) => ({ default: SetUpPage }))),
);
const UnlicensedPage = lazy(
  whileAway(() =>
    import('./unlicensed-page.tsx').then(({ UnlicensedPage }) => ({ default: UnlicensedPage })),
  ),
);

const askAgainMs = 5000;
const againTitle = 'sign-in-again';

/**
 * Lets through whoever is signed in on a licensed installation, and says to everybody else what is missing. What lies
 * over the page, or over the sign-in, leaves it with all that was typed.
 */
export const Doors = ({ children }: { readonly children: ReactNode }) => {
  const access = useAccess();
  const license = useLicenseRefusal();
  const me = useMaybeMe();
  const isWaiting = license !== null || access.state === 'away';

  useEffect(() => void askAccess(), []);
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setInterval(askAccess, askAgainMs);
    return () => clearInterval(timer);
  }, [isWaiting]);

  return (
    <>
      {/* Somebody else than before finds nothing of the other's. */}
      {me ? <Fragment key={me.id}>{children}</Fragment> : <Outside access={access} />}
      {me && access.state === 'signed-out' && <SignInAgain name={me.name} />}
      {license && (me || access.state !== 'away') && (
        <Cover isWhole key="license">
          <Suspense fallback={<Waiting />}>
            <UnlicensedPage license={license} />
          </Suspense>
        </Cover>
      )}
    </>
  );
};

const SignInAgain = ({ name }: { readonly name: string }) => {
  const words = useWords(accessWords);
  return (
    <Cover labelledBy={againTitle} key="again">
      <Stack>
        <Title order={2} id={againTitle}>
          {words.signInAgain}
        </Title>
        <Text>{words.signInAgainText}</Text>
        <SignInForm name={name} />
      </Stack>
    </Cover>
  );
};

const Waiting = () => {
  const words = useWords(accessWords);
  return (
    <Center mih="100vh" component="main">
      <Loader aria-label={words.asking} />
    </Center>
  );
};

/** Before anybody was let in. */
const Outside = ({ access }: { readonly access: Access }) => {
  const words = useWords(accessWords);
  switch (access.state) {
    case 'set-up-needed':
      return (
        <Suspense fallback={<Waiting />}>
          <SetUpPage />
        </Suspense>
      );
    case 'signed-out':
      return (
        <Gatehouse title={words.signIn}>
          <SignInForm />
        </Gatehouse>
      );
    case 'away':
      return (
        <Gatehouse title={isPassing(access.error) ? words.awayTitle : words.troubleTitle}>
          <Trouble error={access.error} />
          <Button variant="default" onClick={askAccess}>
            {words.unlicensed.check}
          </Button>
        </Gatehouse>
      );
    default:
      return <Waiting />;
  }
};
