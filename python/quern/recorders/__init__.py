"""A module for each runtime: functions of a model file and inputs that give a quern._record.Recording.

SPDX-License-Identifier: Apache-2.0
"""
