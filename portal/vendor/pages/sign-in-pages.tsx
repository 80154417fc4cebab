import { csrfTokenOf } from '../../pages/csrf.ts';
import { Notice } from '../../pages/display.tsx';
import { ErrorSummary, Field, type FieldError, Form } from '../../pages/form.tsx';
import type { AuthenticatorOffer } from '../accounts/enrolment.ts';
import type { Vendor } from '../accounts/vendor-sessions.ts';
import { AdminNotice, AdminPage, adminRoot } from './admin-page.tsx';
import { pathOfStage, signInPath } from './browser-vendor.ts';

interface FormPageProps {
  readonly csrf: string;
  readonly errors?: readonly FieldError[];
}

export const SignInPage = ({
  csrf,
  errors = [],
  name,
  notice,
  offersSetup,
}: FormPageProps & { name?: string; notice?: unknown; offersSetup: boolean }) => (
  <AdminPage title="Sign in" vendor={null} hasErrors={errors.length > 0}>
    <div className="card">
      <AdminNotice code={notice} />
      <ErrorSummary errors={errors} />
      {offersSetup && (
        <Notice>
          <p>
            There is no account yet. <a href={`${adminRoot}/setup`}>Make the first one</a>
          </p>
        </Notice>
      )}
      <Form action={signInPath} csrf={csrf} submit="Go on">
        <Field
          name="name"
          label="Name"
          value={name ?? ''}
          errors={errors}
          autoComplete="username"
          spellCheck={false}
        />
        <Field
          name="password"
          label="Password"
          type="password"
          errors={errors}
          autoComplete="current-password"
        />
      </Form>
    </div>
  </AdminPage>
);

export const CodePage = ({ vendor, errors = [] }: { vendor: Vendor; errors?: readonly FieldError[] }) => (
  <AdminPage title="Your code" vendor={vendor} hasErrors={errors.length > 0}>
    <div className="card">
      <ErrorSummary errors={errors} />
      <Form action={pathOfStage.code} csrf={csrfTokenOf(vendor.token)} submit="Sign in">
        <Field
          name="code"
          label="Code from your authenticator"
          hint="Six digits. Without the authenticator: one of your recovery codes."
          look="code"
          errors={errors}
          autoComplete="one-time-code"
        />
      </Form>
    </div>
  </AdminPage>
);

/** In groups of four, as authenticators show it. */
const grouped = (secret: string): string => secret.match(/.{1,4}/g)?.join(' ') ?? secret;

/** The steps of setting an authenticator up, inside a form. */
export const AuthenticatorFields = ({
  offer,
  errors,
}: {
  offer: AuthenticatorOffer;
  errors: readonly FieldError[];
}) => (
  <>
    <div className="stack">
      <p>
        Add an account to your authenticator app. Type in this secret (time-based, six digits), or{' '}
        <a href={offer.uri}>open the app</a> on this device.
      </p>
      <p className="shown-once">{grouped(offer.secret.reveal())}</p>
    </div>
    <Field
      name="code"
      label="Code that the authenticator shows now"
      look="code"
      inputMode="numeric"
      errors={errors}
      autoComplete="one-time-code"
    />
  </>
);

export const EnrolPage = ({
  vendor,
  offer,
  errors = [],
}: {
  vendor: Vendor;
  offer: AuthenticatorOffer;
  errors?: readonly FieldError[];
}) => (
  <AdminPage title="Set up your account" vendor={vendor} hasErrors={errors.length > 0}>
    <div className="card">
      <ErrorSummary errors={errors} />
      <Form action={pathOfStage.enrol} csrf={csrfTokenOf(vendor.token)} submit="Sign in">
        <Field
          name="password"
          label="A password of your own"
          hint="At least 10 characters. The one that you signed in with is worth nothing from now on."
          type="password"
          errors={errors}
          autoComplete="new-password"
        />
        <AuthenticatorFields offer={offer} errors={errors} />
      </Form>
    </div>
  </AdminPage>
);

export const RecoveryCodesPage = ({ codes }: { codes: readonly string[] }) => (
  <AdminPage title="Your recovery codes" vendor={null}>
    <div className="card">
      <p>
        Each of these lets you in once without your authenticator. They are shown this one time only: keep
        them where the authenticator is not.
      </p>
      <ul className="shown-once" aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <p>
        <a className="button" href={adminRoot}>
          I have kept them
        </a>
      </p>
    </div>
  </AdminPage>
);

export const SetupTokenPage = ({ csrf, errors = [], hasToken }: FormPageProps & { hasToken: boolean }) => (
  <AdminPage title="Make the first account" vendor={null} hasErrors={errors.length > 0}>
    <div className="card">
      <ErrorSummary errors={errors} />
      {hasToken ? (
        <Form action={`${adminRoot}/setup`} csrf={csrf} submit="Go on">
          <Field
            name="token"
            label="Admin token"
            hint="PORTAL_ADMIN_TOKEN, from the portal's settings. Once there is an account, it is worth nothing."
            type="password"
            errors={errors}
            autoComplete="off"
          />
        </Form>
      ) : (
        <p>
          Set <code>PORTAL_ADMIN_TOKEN</code> to at least 32 random characters, start the portal anew and come
          back; or make the account on the portal's machine: <code>portal account create NAME</code>
        </p>
      )}
    </div>
  </AdminPage>
);

export const SetupAccountPage = ({
  csrf,
  errors = [],
  name,
  offer,
}: FormPageProps & { name?: string; offer: AuthenticatorOffer }) => (
  <AdminPage title="Make the first account" vendor={null} hasErrors={errors.length > 0}>
    <div className="card">
      <ErrorSummary errors={errors} />
      <Form action={`${adminRoot}/setup/account`} csrf={csrf} submit="Make the account">
        <Field name="name" label="Your name" value={name ?? ''} errors={errors} autoComplete="username" />
        <Field
          name="password"
          label="A password"
          hint="At least 10 characters."
          type="password"
          errors={errors}
          autoComplete="new-password"
        />
        <AuthenticatorFields offer={offer} errors={errors} />
      </Form>
    </div>
  </AdminPage>
);
