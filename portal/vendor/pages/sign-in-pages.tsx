import { csrfTokenOf } from '../../pages/csrf.ts';
import { Notice } from '../../pages/display.tsx';
import { ErrorSummary, Field, type FieldError, Form } from '../../pages/form.tsx';
import { useWords } from '../../pages/reader.ts';
import type { AuthenticatorOffer } from '../accounts/enrolment.ts';
import type { Vendor } from '../accounts/vendor-sessions.ts';
import { AdminNotice, AdminPage, adminRoot } from './admin-page.tsx';
import { pathOfStage, signInPath } from './browser-vendor.ts';
import { QrCode } from './qr-code.tsx';
import { signInWords } from './sign-in.words.ts';

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
}: FormPageProps & { name?: string; notice?: unknown; offersSetup: boolean }) => {
  const words = useWords(signInWords);
  return (
    <AdminPage title={words.signIn} vendor={null} hasErrors={errors.length > 0}>
      <div className="card">
        <AdminNotice code={notice} />
        <ErrorSummary errors={errors} />
        {offersSetup && (
          <Notice>
            <p>
              {words.noAccount} <a href={`${adminRoot}/setup`}>{words.makeFirst}</a>
            </p>
          </Notice>
        )}
        <Form action={signInPath} csrf={csrf} submit={words.goOn}>
          <Field
            name="name"
            label={words.name}
            value={name ?? ''}
            errors={errors}
            autoComplete="username"
            spellCheck={false}
          />
          <Field
            name="password"
            label={words.password}
            type="password"
            errors={errors}
            autoComplete="current-password"
          />
        </Form>
      </div>
    </AdminPage>
  );
};

export const CodePage = ({ vendor, errors = [] }: { vendor: Vendor; errors?: readonly FieldError[] }) => {
  const words = useWords(signInWords);
  return (
    <AdminPage title={words.code} vendor={vendor} hasErrors={errors.length > 0}>
      <div className="card">
        <ErrorSummary errors={errors} />
        <Form action={pathOfStage.code} csrf={csrfTokenOf(vendor.token)} submit={words.signIn}>
          <Field
            name="code"
            label={words.codeLabel}
            hint={words.codeHint}
            look="code"
            errors={errors}
            autoComplete="one-time-code"
          />
        </Form>
      </div>
    </AdminPage>
  );
};

/** In groups of four, as authenticators show it. */
const grouped = (secret: string): string => secret.match(/.{1,4}/g)?.join(' ') ?? secret;

/** The steps of setting up an authenticator, inside a form: scanned, opened on this device, or typed. */
const AuthenticatorFields = ({
  offer,
  errors,
}: {
  readonly offer: AuthenticatorOffer;
  readonly errors: readonly FieldError[];
}) => {
  const words = useWords(signInWords);
  return (
    <>
      <div className="pair">
        <div className="stack">
          <p>{words.scan}</p>
          <QrCode text={offer.uri} label={words.qr} />
        </div>
        <div className="stack">
          <p>{words.typeKey}</p>
          <p className="shown-once">{grouped(offer.secret.reveal())}</p>
          <p>
            <a href={offer.uri}>{words.openApp}</a>
          </p>
        </div>
      </div>
      <Field
        name="code"
        label={words.shownCode}
        look="code"
        inputMode="numeric"
        errors={errors}
        autoComplete="one-time-code"
      />
    </>
  );
};

export const EnrolPage = ({
  vendor,
  offer,
  errors = [],
}: {
  readonly vendor: Vendor;
  readonly offer: AuthenticatorOffer;
  readonly errors?: readonly FieldError[];
}) => {
  const words = useWords(signInWords);
  return (
    <AdminPage title={words.enrol} vendor={vendor} hasErrors={errors.length > 0}>
      <div className="card">
        <ErrorSummary errors={errors} />
        <Form action={pathOfStage.enrol} csrf={csrfTokenOf(vendor.token)} submit={words.signIn}>
          <Field
            name="password"
            label={words.ownPassword}
            hint={words.ownPasswordHint}
            type="password"
            errors={errors}
            autoComplete="new-password"
          />
          <AuthenticatorFields offer={offer} errors={errors} />
        </Form>
      </div>
    </AdminPage>
  );
};

export const RecoveryCodesPage = ({ codes }: { codes: readonly string[] }) => {
  const words = useWords(signInWords);
  return (
    <AdminPage title={words.recovery} vendor={null} isShownOnce>
      <div className="card">
        <p>{words.recoveryText}</p>
        <ul className="shown-once" aria-label={words.recoveryList}>
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <p>
          <a className="button" href={adminRoot}>
            {words.kept}
          </a>
        </p>
      </div>
    </AdminPage>
  );
};

const adminTokenSetting = 'PORTAL_ADMIN_TOKEN';

export const SetupTokenPage = ({ csrf, errors = [], hasToken }: FormPageProps & { hasToken: boolean }) => {
  const words = useWords(signInWords);
  return (
    <AdminPage title={words.first} vendor={null} hasErrors={errors.length > 0}>
      <div className="card">
        <ErrorSummary errors={errors} />
        {hasToken ? (
          <Form action={`${adminRoot}/setup`} csrf={csrf} submit={words.goOn}>
            <Field
              name="token"
              label={words.adminToken}
              hint={words.adminTokenHint}
              type="password"
              errors={errors}
              autoComplete="off"
            />
          </Form>
        ) : (
          <p>
            {words.noToken(adminTokenSetting)} <code>portal account create NAME</code>
          </p>
        )}
      </div>
    </AdminPage>
  );
};

export const SetupAccountPage = ({
  csrf,
  errors = [],
  name,
  offer,
}: FormPageProps & { name?: string; offer: AuthenticatorOffer }) => {
  const words = useWords(signInWords);
  return (
    <AdminPage title={words.first} vendor={null} hasErrors={errors.length > 0}>
      <div className="card">
        <ErrorSummary errors={errors} />
        <Form action={`${adminRoot}/setup/account`} csrf={csrf} submit={words.create}>
          <Field
            name="name"
            label={words.yourName}
            value={name ?? ''}
            errors={errors}
            autoComplete="username"
          />
          <Field
            name="password"
            label={words.yourPassword}
            hint={words.passwordHint}
            type="password"
            errors={errors}
            autoComplete="new-password"
          />
          <AuthenticatorFields offer={offer} errors={errors} />
        </Form>
      </div>
    </AdminPage>
  );
};
