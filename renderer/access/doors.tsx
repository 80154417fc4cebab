import { Button, Center, Loader, Stack, Text, Title } from '@mantine/core';
import { Fragment, lazy, type ReactNode, Suspense, useEffect } from 'react';
import { Trouble } from '../design/trouble.tsx';
import { useWords } from '../language/use-words.ts';
import { whileAway } from '../routing/pieces.ts';
import { accessWords } from './access.words.ts';
import { askAccess, useAccess, useLicenseRefusal, useMaybeMe } from './access-state.ts';
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
 * Lets through whoever is signed in on a licensed installation, and says to everybody else what is missing. Whoever was
 * inside already keeps the page with all that they have typed while they sign in again.
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

  if (!me) return <Outside />;
  return (
    <>
      {/* Somebody else than before finds nothing of the other's. */}
      <Fragment key={me.id}>{children}</Fragment>
      {license ? (
        <Cover isWhole key="license">
          <Suspense>
            <UnlicensedPage license={license} />
          </Suspense>
        </Cover>
      ) : (
        access.state === 'signed-out' && <SignInAgain name={me.name} />
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
const Outside = () => {
  const words = useWords(accessWords);
  const access = useAccess();
  const license = useLicenseRefusal();
  if (license)
    return (
      <Suspense fallback={<Waiting />}>
        <UnlicensedPage license={license} />
      </Suspense>
    );
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
        <Gatehouse title={words.awayTitle}>
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
