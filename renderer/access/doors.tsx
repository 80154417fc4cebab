import { Button, Center, Loader, Modal, Stack, Text } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { Trouble } from '../design/trouble.tsx';
import { useWords } from '../language/use-words.ts';
import { accessWords } from './access.words.ts';
import { askAccess, useAccess, useLicenseRefusal, useMaybeMe } from './access-state.ts';
import { Gatehouse } from './gatehouse.tsx';
import { SetUpPage } from './set-up-page.tsx';
import { SignInForm } from './sign-in-form.tsx';
import { UnlicensedPage } from './unlicensed-page.tsx';

const askAgainMs = 5000;

/**
 * Lets through whoever is signed in on a licensed installation, and says to everybody else what is missing. Whoever was
 * inside already keeps the page with all that they have typed while they sign in again.
 */
export const Doors = ({ children }: { readonly children: ReactNode }) => {
  const words = useWords(accessWords);
  const access = useAccess();
  const license = useLicenseRefusal();
  const isInside = useMaybeMe() !== null;
  const isWaiting = license !== null || access.state === 'away';

  useEffect(() => void askAccess(), []);
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setInterval(askAccess, askAgainMs);
    return () => clearInterval(timer);
  }, [isWaiting]);

  if (isInside)
    return (
      <>
        <div hidden={license !== null}>{children}</div>
        {license && <UnlicensedPage license={license} />}
        <Modal
          opened={access.state === 'signed-out' && license === null}
          onClose={() => undefined}
          withCloseButton={false}
          title={words.signInAgain}
        >
          <Stack>
            <Text>{words.signInAgainText}</Text>
            <SignInForm />
          </Stack>
        </Modal>
      </>
    );
  if (license) return <UnlicensedPage license={license} />;
  switch (access.state) {
    case 'set-up-needed':
      return <SetUpPage />;
    case 'signed-out':
      return (
        <Gatehouse title={words.signIn}>
          <SignInForm />
        </Gatehouse>
      );
    case 'away':
      return (
        <Gatehouse title="Castellan">
          <Trouble error={access.error} />
          <Button variant="default" onClick={askAccess}>
            {words.unlicensed.check}
          </Button>
        </Gatehouse>
      );
    default:
      return (
        <Center mih="100vh" component="main">
          <Loader aria-label={words.asking} />
        </Center>
      );
  }
};
