// Every operation of the interface. A key is the operation's id in camelCase, and the name of its function in the client.

import {
  createAlertRule,
  deleteAlertRule,
  dryRunAlertRule,
  getAlertRule,
  listAlertRules,
  modifyAlertRule,
} from './alerts/alert-rules.ts'
import { acknowledgeAlert, clearAlert, getAlert, listAlerts } from './alerts/alerts.ts'
import {
  createClassificationSet,
  deleteClassificationSet,
  listClassificationSets,
  modifyClassificationSet,
} from './alerts/classification-sets.ts'
import { getPopulationSummary } from './alerts/population.ts'
import { listAuditEvents } from './identity/audit.ts'
import {
  createServiceDocument,
  getServiceDocument,
  listOrganizations,
  listServiceDocuments,
  modifyOrganization,
  modifyServiceDocument,
} from './identity/organizations.ts'
import { listOutboundMessages } from './identity/outbound-messages.ts'
import { changePassword, checkPasswordStrength, requestPasswordReset, resetPassword } from './identity/passwords.ts'
import { getProfile, modifyProfile } from './identity/profile.ts'
import {
  createMfaEmailChallenge,
  disableTotp,
  enableTotp,
  initiateTotp,
  listTotp,
  respondToMfaEmailChallenge,
} from './identity/second-factors.ts'
import {
  createServiceAccount,
  createServiceAccountToken,
  listServiceAccounts,
  listServiceAccountTokens,
  modifyServiceAccount,
  revokeServiceAccountToken,
} from './identity/service-accounts.ts'
import { endSession, listSessions, login, logout, refresh } from './identity/sessions.ts'
import { getTask } from './identity/tasks.ts'
import {
  confirmInvitation,
  createUser,
  getUser,
  listUsers,
  modifyUser,
  register,
  resendInvitation,
} from './identity/users.ts'
import { listEvents, streamEvents } from './integrator/events.ts'
import { eraseMetrics, listMetricTypes, listSourceSummaries, listTimeseriesSummaries } from './metrics/summaries.ts'
import { pushTimeseries, readTimeseries } from './metrics/timeseries.ts'
import { getNotificationPreferences, modifyNotificationPreferences } from './notifications/notification-preferences.ts'
import {
  countUnreadNotifications,
  listNotifications,
  readAllNotifications,
  readNotification,
} from './notifications/notifications.ts'
import {
  addIndividualsToGroup,
  addLeadersToGroup,
  addMembersToGroup,
  getEligibleMembers,
  removeIndividualsFromGroup,
  removeLeadersFromGroup,
  removeMembersFromGroup,
} from './people/group-members.ts'
import { createGroup, getGroup, listGroups, moveGroup, updateGroup } from './people/groups.ts'
import {
  archiveIndividual,
  disableIndividual,
  getIndividual,
  listIndividuals,
  mergeIndividuals,
  restoreIndividual,
} from './people/individuals.ts'
import { exportPatients, getPatientImport, importPatients, listPatientImportLines } from './people/patient-files.ts'
import { createPatient, getPatient, modifyPatient } from './people/patients.ts'
import { addTags, createTag, listTags, removeTags } from './people/tags.ts'
import { getWebhookDelivery, listWebhookDeliveries, resendWebhookDelivery } from './webhooks/deliveries.ts'
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  modifyWebhook,
  rotateWebhookSecret,
  testWebhook,
} from './webhooks/webhooks.ts'

export const catalogue = {
  login,
  refresh,
  logout,
  listSessions,
  endSession,
  getProfile,
  modifyProfile,
  checkPasswordStrength,
  changePassword,
  requestPasswordReset,
  resetPassword,
  listTotp,
  initiateTotp,
  enableTotp,
  disableTotp,
  createMfaEmailChallenge,
  respondToMfaEmailChallenge,
  listUsers,
  getUser,
  createUser,
  modifyUser,
  resendInvitation,
  confirmInvitation,
  register,
  listServiceAccounts,
  createServiceAccount,
  modifyServiceAccount,
  createServiceAccountToken,
  listServiceAccountTokens,
  revokeServiceAccountToken,
  listOrganizations,
  modifyOrganization,
  listServiceDocuments,
  getServiceDocument,
  createServiceDocument,
  modifyServiceDocument,
  listOutboundMessages,
  listAuditEvents,
  getTask,
  listIndividuals,
  getIndividual,
  archiveIndividual,
  disableIndividual,
  restoreIndividual,
  mergeIndividuals,
  createPatient,
  getPatient,
  modifyPatient,
  importPatients,
  getPatientImport,
  listPatientImportLines,
  exportPatients,
  listTags,
  createTag,
  addTags,
  removeTags,
  listGroups,
  createGroup,
  getGroup,
  updateGroup,
  addIndividualsToGroup,
  addLeadersToGroup,
  addMembersToGroup,
  removeIndividualsFromGroup,
  removeLeadersFromGroup,
  removeMembersFromGroup,
  getEligibleMembers,
  moveGroup,
  pushTimeseries,
  readTimeseries,
  listTimeseriesSummaries,
  listSourceSummaries,
  listMetricTypes,
  eraseMetrics,
  listAlertRules,
  getAlertRule,
  createAlertRule,
  modifyAlertRule,
  deleteAlertRule,
  dryRunAlertRule,
  listAlerts,
  getAlert,
  acknowledgeAlert,
  clearAlert,
  getPopulationSummary,
  listClassificationSets,
  createClassificationSet,
  modifyClassificationSet,
  deleteClassificationSet,
  listEvents,
  streamEvents,
  listNotifications,
  countUnreadNotifications,
  readNotification,
  readAllNotifications,
  getNotificationPreferences,
  modifyNotificationPreferences,
  listWebhooks,
  createWebhook,
  getWebhook,
  modifyWebhook,
  deleteWebhook,
  testWebhook,
  rotateWebhookSecret,
  listWebhookDeliveries,
  getWebhookDelivery,
  resendWebhookDelivery,
}

export type Catalogue = typeof catalogue
