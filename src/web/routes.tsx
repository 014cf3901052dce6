import { lazy } from 'react'
import { Navigate, Outlet, type RouteObject } from 'react-router'
import { paths } from './paths.ts'
import { ErrorPage } from './shell/error-page.tsx'
import { Gate } from './shell/gate.tsx'
import { NotFoundPage, NotFoundScreen, notFoundTitle } from './shell/not-found-page.tsx'
import { SignedOutOnly } from './shell/signed-out-only.tsx'
import { PageSpinner } from './ui/page-spinner.tsx'

const LoginScreen = lazy(async () => ({
  default: (await import('./screens/sign-in/login-screen.tsx')).LoginScreen,
}))
const PlainFrame = lazy(async () => ({ default: (await import('./shell/plain-frame.tsx')).PlainFrame }))

const plainFrame: RouteObject['lazy'] = async () => ({
  Component: (await import('./shell/plain-frame.tsx')).PlainFrame,
})

/** The gates show these to a person who is not signed in. */
const login = (
  <PlainFrame>
    <LoginScreen />
  </PlainFrame>
)
const notFound = (
  <PlainFrame>
    <NotFoundPage />
  </PlainFrame>
)

/** People who are signed in already pass these routes by. */
export const signedOutOnlyId = 'signed-out-only'

const publicRoutes: RouteObject[] = [
  {
    id: signedOutOnlyId,
    element: <SignedOutOnly />,
    children: [
      {
        path: paths.signIn,
        lazy: async () => ({
          Component: (await import('./screens/sign-in/sign-in-screen.tsx')).SignInScreen,
        }),
      },
      {
        path: paths.signUp,
        lazy: async () => ({
          Component: (await import('./screens/sign-up/sign-up-screen.tsx')).SignUpScreen,
        }),
      },
      {
        path: paths.login,
        lazy: async () => ({ Component: (await import('./screens/sign-in/login-screen.tsx')).LoginScreen }),
      },
    ],
  },
  {
    path: paths.signedIn,
    lazy: async () => ({
      Component: (await import('./screens/sign-in/signed-in-screen.tsx')).SignedInScreen,
    }),
  },
  {
    path: paths.hubspotConnected,
    lazy: async () => ({
      Component: (await import('./screens/hubspot-connected/hubspot-connected-screen.tsx'))
        .HubspotConnectedScreen,
    }),
  },
  {
    path: paths.testData,
    lazy: async () => ({
      Component: (await import('./screens/test-data/test-data-screen.tsx')).TestDataScreen,
    }),
  },
]

const dashboard: RouteObject['lazy'] = async () => ({
  Component: (await import('./screens/dashboard/dashboard-screen.tsx')).DashboardScreen,
})
const setup: RouteObject['lazy'] = async () => ({
  Component: (await import('./screens/setup/setup-screen.tsx')).SetupScreen,
})
const syncHistory: RouteObject['lazy'] = async () => ({
  Component: (await import('./screens/sync-history/sync-history-screen.tsx')).SyncHistoryScreen,
})
const shellRoutes: RouteObject[] = [
  { path: paths.dashboard, lazy: dashboard },
  { path: paths.dashboardByName, lazy: dashboard },
  { path: paths.setup, lazy: setup },
  { path: `${paths.setup}/:step`, lazy: setup },
  {
    path: paths.subscriptions,
    lazy: async () => ({
      Component: (await import('./screens/subscriptions/subscriptions-screen.tsx')).SubscriptionsScreen,
    }),
  },
  {
    path: `${paths.subscriptions}/:id`,
    lazy: async () => ({
      Component: (await import('./screens/subscription/subscription-screen.tsx')).SubscriptionScreen,
    }),
  },
  {
    path: paths.events,
    lazy: async () => ({ Component: (await import('./screens/events/events-screen.tsx')).EventsScreen }),
  },
  {
    path: paths.customers,
    lazy: async () => ({
      Component: (await import('./screens/customers/customers-screen.tsx')).CustomersScreen,
    }),
  },
  {
    path: `${paths.customers}/:id`,
    lazy: async () => ({
      Component: (await import('./screens/customer/customer-screen.tsx')).CustomerScreen,
    }),
  },
  { path: paths.syncHistory, lazy: syncHistory },
  { path: `${paths.syncHistory}/:id`, lazy: syncHistory },
  { path: paths.syncErrors, lazy: syncHistory },
  {
    path: paths.syncHealth,
    lazy: async () => ({
      Component: (await import('./screens/sync-history/sync-health-screen.tsx')).SyncHealthScreen,
    }),
  },
  {
    path: paths.dataSync,
    lazy: async () => ({
      Component: (await import('./screens/data-sync/data-sync-screen.tsx')).DataSyncScreen,
    }),
  },
  {
    path: paths.mrrAnalytics,
    lazy: async () => ({
      Component: (await import('./screens/mrr-analytics/mrr-analytics-screen.tsx')).MrrAnalyticsScreen,
    }),
  },
  {
    path: paths.terms,
    lazy: async () => ({ Component: (await import('./screens/terms/terms-screen.tsx')).TermsScreen }),
  },
  {
    path: paths.whatChanged,
    lazy: async () => ({
      Component: (await import('./screens/what-changed/what-changed-screen.tsx')).WhatChangedScreen,
    }),
  },
  {
    path: `${paths.whatChanged}/:id`,
    lazy: async () => ({
      Component: (await import('./screens/what-changed/report-screen.tsx')).ReportScreen,
    }),
  },
  {
    path: paths.accountProfile,
    lazy: async () => ({ Component: (await import('./screens/account/account-screen.tsx')).AccountScreen }),
  },
  {
    path: paths.matchReview,
    lazy: async () => ({
      Component: (await import('./screens/match-review/match-review-screen.tsx')).MatchReviewScreen,
    }),
  },
  {
    path: paths.hubspotObjects,
    lazy: async () => ({
      Component: (await import('./screens/hubspot-objects/hubspot-objects-screen.tsx')).HubspotObjectsScreen,
    }),
  },
  {
    path: paths.diagnostics,
    lazy: async () => ({
      Component: (await import('./screens/diagnostics/diagnostics-screen.tsx')).DiagnosticsScreen,
    }),
  },
  {
    path: paths.operator,
    lazy: async () => ({
      Component: (await import('./screens/operator/operator-screen.tsx')).OperatorScreen,
    }),
  },
  { path: paths.transactions, element: <Navigate to={paths.events} replace /> },
  { path: paths.settings, element: <Navigate to={paths.dataSync} replace /> },
]

/** Only signed-in people reach the routes below this one. */
export const gateId = 'gate'

/** An address that no other route knows keeps its frame for signed-in people. */
export const unknownId = 'unknown'

/** Lists every address of the app. Each screen loads when it is first opened. */
export const routes: RouteObject[] = [
  {
    element: <Outlet />,
    errorElement: <ErrorPage />,
    HydrateFallback: PageSpinner,
    children: [
      { lazy: plainFrame, children: publicRoutes },
      {
        id: gateId,
        element: <Gate signedOut={login} />,
        children: [
          {
            lazy: plainFrame,
            children: [
              {
                path: paths.organizationSelection,
                lazy: async () => ({
                  Component: (await import('./screens/organization-choice/organization-choice-screen.tsx'))
                    .OrganizationChoiceScreen,
                }),
              },
            ],
          },
          {
            lazy: async () => ({ Component: (await import('./shell/shell.tsx')).Shell }),
            children: [{ errorElement: <ErrorPage />, children: shellRoutes }],
          },
        ],
      },
      {
        id: unknownId,
        element: <Gate signedOut={notFound} />,
        children: [
          {
            lazy: async () => {
              const { Shell } = await import('./shell/shell.tsx')
              return { element: <Shell title={notFoundTitle} /> }
            },
            children: [{ path: '*', element: <NotFoundScreen /> }],
          },
        ],
      },
    ],
  },
]
