import type { AgentHome } from '../configuration/agent-home.ts';
import type { Questions } from '../setup/questions.ts';

export interface InstallRequest {
  readonly home: AgentHome;
  /** Null: the one that owns the games' folders, or the service's own on Windows. */
  readonly account: string | null;
  readonly starts: boolean;
  readonly questions: Questions;
}

export interface UninstallRequest {
  readonly home: AgentHome;
  /** Settings, keys and journals go, too, and the account that an installation has made. */
  readonly removesData: boolean;
  say(text: string): void;
}

export interface ServiceState {
  readonly is: 'running' | 'stopped' | 'absent';
  /** A sentence for people. */
  readonly detail: string;
}

/** The agent as a service of this system. Each rejects with ServiceError; what is so already is no fault. */
export interface AgentService {
  install(request: InstallRequest): Promise<void>;
  /** Games that the agent holds go on. */
  uninstall(request: UninstallRequest): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
  state(): Promise<ServiceState>;
  /** Its account and its rules follow what a set-up has changed; what a person has to do is said. */
  followSettings(home: AgentHome, say: (text: string) => void): Promise<void>;
}
