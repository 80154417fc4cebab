import { Button, Center, Loader, Stack, Text, Title } from '@mantine/core';
import { Fragment, lazy, type ReactNode, Suspense, useCallback, useEffect, useState } from 'react';
import { create } from 'zustand';
import type { LicenseRefusal } from '#contracts/license/license-state.ts';
import { setupHttp } from '#contracts/operations/setup.ts';
import { accessWords } from '../../identity/access/access.words.ts';
import { Overlay } from '../../identity/access/overlay.tsx';
import { SignInForm } from '../../identity/access/sign-in-form.tsx';
import {
  type Access,
  askAccess,
  useAccess,
  useLicenseRefusal,
  useMaybeMe,
} from '../../kit/access/access-state.ts';
import { isPassing } from '../../kit/api/api-problem.ts';
import { onStepUpRequired } from '../../kit/api/call.ts';
import { callDesktop, desktopBridge } from '../../kit/api/desktop-bridge.ts';
import { useRead } from '../../kit/api/queries.ts';
import { Trouble } from '../../kit/design/trouble.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { loadWhenServed } from '../../kit/routing/page-chunks.ts';
import { goTo } from '../../kit/routing/use-hash-location.ts';
import { AuthLayout } from './auth-layout.tsx';

/** Whether the desktop has nothing to start yet; null until it has answered. */
const useIsFirstRun = (): boolean | null => {
  const [isFirst, setIsFirst] = useState<boolean | null>(desktopBridge() ? null : false);
  useEffect(() => {
    if (!desktopBridge()) return;
    callDesktop('firstRun.state', undefined).then(
      (state) => setIsFirst(state !== null),
      () => setIsFirst(false),
    );
  }, []);
  return isFirst;
};

interface MissingOwner {
  readonly isMissing: boolean;
  /** The owner was created, or is left for later. */
  readonly settle: () => void;
}

/** Whether the first run still has to create the owner's account. An API that does not answer is asked again. */
const useMissingOwner = (isInside: boolean): MissingOwner => {
  const [isNoted, setIsNoted] = useState(false);
  const setup = useRead(setupHttp.state, {}, { enabled: isInside && isNoted });
  const isMade = isNoted && setup.data?.needed === false;
  const settle = useCallback(() => {
    setIsNoted(false);
    void callDesktop('firstRun.leaveOwner', undefined);
  }, []);
  useEffect(() => {
    if (!isInside || !desktopBridge()) return;
    // Whatever the error: the account can also be created under Admins.
    callDesktop('firstRun.isOwnerLeft', undefined).then(setIsNoted, () => undefined);
  }, [isInside]);
  useEffect(() => {
    if (isMade) settle();
  }, [isMade, settle]);
  return { isMissing: isInside && isNoted && setup.data?.needed === true, settle };
};

interface StepUpStore {
  /** Answers the question; null while none is open. */
  readonly settle: ((isDone: boolean) => void) | null;
}

const useStepUpStore = create<StepUpStore>(() => ({ settle: null }));

const askInPanel = async (): Promise<boolean> => {
  const answer = Promise.withResolvers<boolean>();
  useStepUpStore.setState({ settle: answer.resolve });
  const isDone = await answer.promise;
  useStepUpStore.setState({ settle: null });
  return isDone;
};

/** In a separate window, which a page cannot answer. */
const askOnDesktop = async (): Promise<boolean> => (await callDesktop('stepUp.confirm', undefined)).confirmed;

let asking: Promise<boolean> | null = null;

/** Calls that are refused at the same time wait for one answer. */
onStepUpRequired(() => {
  asking ??= (desktopBridge() ? askOnDesktop() : askInPanel()).finally(() => {
    asking = null;
  });
  return asking;
});

const useStepUpQuestion = (): StepUpStore['settle'] => useStepUpStore(({ settle }) => settle);

const SetUpPage = lazy(
  loadWhenServed(() => import('./set-up-page.tsx').then(({ SetUpPage }) => ({ default: SetUpPage }))),
);
const UnlicensedPage = lazy(
  loadWhenServed(() =>
    import('./unlicensed-page.tsx').then(({ UnlicensedPage }) => ({ default: UnlicensedPage })),
  ),
);

const LicenseWizard = lazy(
  loadWhenServed(() =>
    import('../wizard/license/license-wizard.tsx').then(({ LicenseWizard }) => ({ default: LicenseWizard })),
  ),
);
const FirstRunPage = lazy(
  loadWhenServed(() =>
    import('../wizard/first-run/first-run-page.tsx').then(({ FirstRunPage }) => ({ default: FirstRunPage })),
  ),
);
const StartingPage = lazy(
  loadWhenServed(() =>
    import('../wizard/starting-page.tsx').then(({ StartingPage }) => ({ default: StartingPage })),
  ),
);
const ServicesAccessPage = lazy(
  loadWhenServed(() =>
    import('../desktop/services-access-page.tsx').then(({ ServicesAccessPage }) => ({
      default: ServicesAccessPage,
    })),
  ),
);
const OwnerPage = lazy(
  loadWhenServed(() => import('../wizard/owner-page.tsx').then(({ OwnerPage }) => ({ default: OwnerPage }))),
);

const StepUpDialog = lazy(
  loadWhenServed(() =>
    import('../../identity/access/step-up-dialog.tsx').then(({ StepUpDialog }) => ({
      default: StepUpDialog,
    })),
  ),
);

const askAgainMs = 5000;
const againTitle = 'sign-in-again';

/** In the desktop's own window, the first run comes before everything else. */
export const AuthGate = ({ children }: { readonly children: ReactNode }) => {
  const isFirstRun = useIsFirstRun();
  if (isFirstRun === null) return <Waiting />;
  if (isFirstRun)
    return (
      <Suspense fallback={<Waiting />}>
        <FirstRunPage />
      </Suspense>
    );
  return <PanelAccess>{children}</PanelAccess>;
};

/**
 * Shows the panel to a person signed in on a licensed installation, and tells everyone else what is missing. Overlays
 * above the page or the sign-in keep everything that was typed there.
 */
const PanelAccess = ({ children }: { readonly children: ReactNode }) => {
  const access = useAccess();
  const license = useLicenseRefusal();
  const me = useMaybeMe();
  const owner = useMissingOwner(me?.kind === 'desktop' && license === null);
  const settleStepUp = useStepUpQuestion();
  const isWaiting = license !== null || access.state === 'away';

  useEffect(() => void askAccess(), []);
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setInterval(askAccess, askAgainMs);
    return () => clearInterval(timer);
  }, [isWaiting]);

  return (
    <>
      {/* A different person sees nothing of the previous one's. */}
      {me ? (
        <Fragment key={desktopBridge() ? 'desktop' : me.id}>{children}</Fragment>
      ) : (
        <Outside access={access} />
      )}
      {me && settleStepUp && (
        <Suspense key={`step-up ${me.id}`}>
          <StepUpDialog onSettled={settleStepUp} />
        </Suspense>
      )}
      {me && access.state === 'signed-out' && !desktopBridge() && <SignInAgain name={me.name} />}
      {me && access.state === 'signed-out' && desktopBridge() && (
        <Overlay isWhole key="services">
          <Suspense fallback={<Waiting />}>
            <ServicesAccessPage />
          </Suspense>
        </Overlay>
      )}
      {license && (me || access.state !== 'away') && (
        <Overlay isWhole key="license">
          <Suspense fallback={<Waiting />}>
            <Unlicensed license={license} />
          </Suspense>
        </Overlay>
      )}
      {owner.isMissing && !license && (
        <Overlay isWhole key="owner">
          <Suspense>
            <OwnerPage
              onDone={() => {
                owner.settle();
                goTo('/first-steps');
              }}
            />
          </Suspense>
        </Overlay>
      )}
    </>
  );
};

/** In the desktop's own window, a wizard can solve it. */
const Unlicensed = (props: { readonly license: LicenseRefusal }) =>
  desktopBridge() ? <LicenseWizard {...props} /> : <UnlicensedPage {...props} />;

const SignInAgain = ({ name }: { readonly name: string }) => {
  const words = useWords(accessWords);
  return (
    <Overlay labelledBy={againTitle} key="again">
      <Stack>
        <Title order={2} id={againTitle}>
          {words.signInAgain}
        </Title>
        <Text>{words.signInAgainText}</Text>
        <SignInForm name={name} />
      </Stack>
    </Overlay>
  );
};

const Waiting = () => {
  const words = useWords(accessWords);
  return (
    <Center mih="100vh" component="main">
      <Loader role="status" aria-label={words.asking} />
    </Center>
  );
};

/** Shown until the first person is signed in. */
const Outside = ({ access }: { readonly access: Access }) => {
  const words = useWords(accessWords);
  // No one signs in there: the desktop gets in by its own key, or not at all.
  if (desktopBridge() && (access.state === 'signed-out' || access.state === 'set-up-needed'))
    return (
      <Suspense fallback={<Waiting />}>
        <ServicesAccessPage />
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
        <AuthLayout title={words.signIn}>
          <SignInForm />
        </AuthLayout>
      );
    case 'away':
      if (desktopBridge())
        return (
          <Suspense fallback={<Waiting />}>
            <StartingPage />
          </Suspense>
        );
      return (
        <AuthLayout title={isPassing(access.error) ? words.awayTitle : words.troubleTitle}>
          <Trouble error={access.error} />
          <Button variant="default" onClick={askAccess}>
            {words.unlicensed.check}
          </Button>
        </AuthLayout>
      );
    default:
      return <Waiting />;
  }
};
