import type { AgentService } from './managed-service.ts';
import { systemdService } from './systemd-service.ts';
import { windowsService } from './windows-service.ts';

export const agentService = (): AgentService =>
  process.platform === 'win32' ? windowsService() : systemdService();
